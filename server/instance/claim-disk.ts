import { existsSync, readdirSync } from "node:fs";
import { DISK_SETTING } from "../catalog/move-port.ts";
import type { Catalog } from "../catalog/port.ts";
import type { Config } from "../config/config.ts";
import type { DataFolder } from "./data-folder.ts";
import { MARKER, readMarker, writeMarker } from "./marker.ts";

/*
 * A catalog in PostgreSQL can be had from anywhere, and bytes on a disk cannot: whoever served it
 * with another data folder would miss the files of the first, and clear away in vain.
 */

type Places = Pick<Config, "databaseUrl" | "s3">;

/**
 * Makes the data folder, which is locked, the one where the bytes of a catalog in PostgreSQL lie, if
 * they are on disk and none is yet. Error: another one is, or there are files and none of them here.
 */
export async function claimDisk(
  places: Places,
  folder: DataFolder,
  catalog: Pick<Catalog, "setting" | "claimSetting" | "blobsAfter">,
): Promise<void> {
  if (!isApart(places)) return;
  const marker = readMarker(folder.path) ?? {};
  const claimed = await catalog.setting(DISK_SETTING);
  if (claimed !== undefined && claimed === marker.disk) return;
  if (claimed !== undefined) throw isElsewhere(folder);
  if (!hasBlobs(folder) && (await catalog.blobsAfter(-1, 1)).length > 0) {
    throw new Error(
      `The catalog in DATABASE_URL has files, and ${folder.blobs} has none of them: is its volume mounted? If the files are on S3, set BLOBS=s3.`,
    );
  }
  const disk = marker.disk ?? crypto.randomUUID();
  // First, so that whoever is interrupted here knows its own claim again.
  if (marker.disk === undefined) writeMarker(folder.path, { ...marker, disk });
  if ((await catalog.claimSetting(DISK_SETTING, disk)) !== disk) throw isElsewhere(folder);
}

/** For a command, which begins nothing. Error: the bytes lie in another data folder. */
export async function requireDisk(
  places: Places,
  folder: DataFolder,
  catalog: Pick<Catalog, "setting">,
): Promise<void> {
  if (!isApart(places)) return;
  const claimed = await catalog.setting(DISK_SETTING);
  if (claimed !== undefined && claimed !== readMarker(folder.path)?.disk) throw isElsewhere(folder);
}

const isApart = ({ databaseUrl, s3 }: Places): boolean => databaseUrl !== null && s3 === null;

const hasBlobs = ({ blobs }: DataFolder): boolean =>
  existsSync(blobs) && readdirSync(blobs).length > 0;

const isElsewhere = ({ path }: DataFolder): Error =>
  new Error(
    `The files of the catalog in DATABASE_URL lie in another data folder than ${path}: give that one as DATA_PATH, with the ${MARKER} that belongs to it. For several servers, put the files on S3 (BLOBS=s3).`,
  );
