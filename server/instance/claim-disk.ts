import { blobDriver } from "../blobs/drivers.ts";
import { catalogDriver } from "../catalog/drivers.ts";
import { DISK_SETTING } from "../catalog/move-port.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import type { Config } from "../config/config.ts";
import { type DataFolder, hasBlobs } from "../fs/data-folder-layout.ts";
import { MARKER, readMarker, writeMarker } from "./marker.ts";

/*
 * A catalog in PostgreSQL can be used from anywhere, blobs on a disk cannot: a server with another data
 * folder would not find the files of the first, and its sweep would delete nothing.
 */

type Stores = Pick<Config, "catalog" | "blobs">;

/**
 * Claims the blobs of a shared catalog for this data folder, which this process has locked, if they are
 * on disk and unclaimed. Error: another folder has claimed them, or the catalog has files and this
 * folder has none of them, or the other way round.
 */
export async function claimDisk(
  stores: Stores,
  folder: DataFolder,
  catalog: Pick<Catalog, "setting" | "claimSetting" | "blobsAfter">,
): Promise<void> {
  if (!needsClaim(stores)) return;
  const marker = readMarker(folder.path) ?? {};
  const claimed = await catalog.setting(DISK_SETTING);
  if (claimed !== undefined && claimed === marker.disk) return;
  if (claimed !== undefined) throw isElsewhere(folder);
  if (!hasBlobs(folder) && (await hasFiles(catalog))) {
    throw new Error(
      `The catalog in DATABASE_URL has files, but ${folder.blobs} has none of them: is its volume mounted? If the files are on S3, set BLOBS=s3.`,
    );
  }
  if (marker.disk !== undefined && hasBlobs(folder) && !(await hasFiles(catalog))) {
    throw new Error(
      `The catalog in DATABASE_URL is empty, but ${folder.blobs} has files of another catalog: restore that database, or set DATABASE_URL to it. For a new instance, choose another DATA_PATH.`,
    );
  }
  const disk = marker.disk ?? crypto.randomUUID();
  // Written first: after an interruption here, the next start recognises its own claim.
  if (marker.disk === undefined) writeMarker(folder.path, { ...marker, disk });
  if ((await catalog.claimSetting(DISK_SETTING, disk)) !== disk) throw isElsewhere(folder);
}

/** The check for a command, which claims nothing. Error: the blobs are in another data folder. */
export async function requireDisk(
  stores: Stores,
  folder: DataFolder,
  catalog: Pick<Catalog, "setting">,
): Promise<void> {
  if (!needsClaim(stores)) return;
  const claimed = await catalog.setting(DISK_SETTING);
  if (claimed !== undefined && claimed !== readMarker(folder.path)?.disk) throw isElsewhere(folder);
}

const hasFiles = async (catalog: Pick<Catalog, "blobsAfter">): Promise<boolean> =>
  (await catalog.blobsAfter(-1, 1)).length > 0;

const needsClaim = ({ catalog, blobs }: Stores): boolean =>
  catalogDriver(catalog).isShared && blobDriver(blobs).isLocal;

const isElsewhere = ({ path }: DataFolder): Error =>
  new Error(
    `The files of the catalog in DATABASE_URL are in another data folder than ${path}: set DATA_PATH to that folder, with the ${MARKER} that belongs to it. For several servers, put the files on S3 (BLOBS=s3).`,
  );
