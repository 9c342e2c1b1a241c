import { existsSync } from "node:fs";
import { join } from "node:path";
import { createDiskBlobs } from "../blobs/disk/disk.ts";
import { createDiskCopies } from "../blobs/disk/disk-copies.ts";
import { createDiskInspection } from "../blobs/disk/disk-inspection.ts";
import type { BlobInspection } from "../blobs/port.ts";
import type { MoveSource } from "../catalog/move-port.ts";
import { createSqliteDestination } from "../catalog/sqlite/sqlite-destination.ts";
import { openSqliteMoveSource } from "../catalog/sqlite/sqlite-move-source.ts";
import type { Config } from "../config/config.ts";
import { type Migrated, type MigrationTarget, migrate } from "../transfer/migrate.ts";
import { type CopyFolder, holdFolder, openCopyFolder, refuseNested } from "./copy-folder.ts";
import { type DataFolder, layOut, readSecret, refuseUnfinished } from "./data-folder.ts";
import { readMarker } from "./marker.ts";
import { openBucketCopies, openS3 } from "./open-blobs.ts";
import { refuseElsewhere } from "./open-catalog.ts";
import { syncVolume } from "./sync-volume.ts";
import type { Watched } from "./transfers.ts";

/*
 * The composition root of `migrate`: an instance on any stores, read and never written to, and the
 * stores that it is carried to.
 */

export interface MigrationResult extends Migrated {
  /** AUTH_SECRET of the new place is not what signed the links of the old one. */
  readonly endsLinks: boolean;
}

/**
 * Carries the instance of the one configuration to where the other says. Error: a server uses it, it
 * cannot be read, or the new place is not empty.
 */
export async function migrateTo(
  config: Config,
  to: Config,
  watched: Watched,
): Promise<MigrationResult> {
  refuseNested(to.dataPath, config.dataPath);
  const folder = sourceFolder(config);
  const lock = holdFolder(folder.path);
  try {
    const source = await openSource(config, folder);
    try {
      return await migrateFrom({ config, folder, source }, to, watched);
    } finally {
      await source.close();
    }
  } finally {
    lock.release();
  }
}

interface Origin {
  readonly config: Config;
  readonly folder: DataFolder;
  readonly source: MoveSource;
}

async function migrateFrom(origin: Origin, to: Config, watched: Watched): Promise<MigrationResult> {
  const { config, folder, source } = origin;
  const of = source.rootId;
  const database = to.databaseUrl === null ? null : await openDatabase(to.databaseUrl, of);
  try {
    if (database?.state === "published" && readMarker(to.dataPath)?.isWhole !== true) {
      throw new Error(
        "DATABASE_URL of the new place has the catalog of this very instance already: choose an empty database or schema.",
      );
    }
    const target = openCopyFolder(to.dataPath, "DATA_PATH", { work: "migration", backupOf: of });
    const draft = database ?? createSqliteDestination(target.draft);
    try {
      await database?.begin();
      const onTrouble = (message: string): void => watched.onProblem("Holdall", message);
      const bytes = await openTargetBytes(to, target, of, onTrouble);
      const secret = config.authSecret ?? readSecret(folder);
      const migrated = await migrate({
        source,
        from: await openSourceBytes(origin, target, onTrouble),
        to: {
          ...bytes,
          draft,
          isFilled: database?.state === "published",
          publish: () =>
            target.publish(to.authSecret === null ? secret : undefined, async () => {
              await bytes.publish();
              await database?.publish();
            }),
        },
        ...watched,
      });
      return { ...migrated, endsLinks: (to.authSecret ?? secret) !== secret };
    } finally {
      if (draft !== database) await draft.close();
      target.release();
    }
  } finally {
    await database?.close();
  }
}

/** Makes nothing. Error: there is no instance, or only a part of one. */
function sourceFolder({ dataPath, databaseUrl }: Config): DataFolder {
  const marker = existsSync(dataPath) ? readMarker(dataPath) : undefined;
  if (marker === undefined) {
    throw new Error(`DATA_PATH is "${dataPath}", and there is no data folder of Holdall.`);
  }
  refuseUnfinished(dataPath, marker);
  const folder = layOut(dataPath);
  refuseElsewhere(databaseUrl, folder);
  if (databaseUrl === null && !existsSync(folder.catalog)) {
    throw new Error(`${dataPath} has no catalog: restore it.`);
  }
  return folder;
}

async function openSource({ databaseUrl }: Config, folder: DataFolder): Promise<MoveSource> {
  if (databaseUrl === null) return openSqliteMoveSource(folder.catalog);
  const { openPostgresMoveSource } = await import("../catalog/postgres/postgres-move-source.ts");
  return openPostgresMoveSource(databaseUrl);
}

/** `scratch` is for what the store has on its way: the source's own folder is not written to. */
async function openSourceBytes(
  { config: { s3 }, folder, source }: Origin,
  scratch: DataFolder,
  onTrouble: (message: string) => void,
): Promise<BlobInspection> {
  if (s3 !== null) {
    const { requireBucket } = await import("../blobs/s3/claim-bucket.ts");
    await requireBucket(s3, source.rootId);
    return (await openS3(s3, scratch, onTrouble)).blobs;
  }
  if (!existsSync(folder.blobs) && (await source.blobsAfter(-1, 1)).length > 0) {
    throw new Error(
      `${folder.blobs} is not there: is its volume mounted? If the files are on S3, set BLOBS=s3.`,
    );
  }
  return createDiskInspection(folder.blobs, join(scratch.path, "quarantine"));
}

async function openTargetBytes(
  { s3 }: Config,
  target: CopyFolder,
  of: string,
  onTrouble: (message: string) => void,
): Promise<Pick<MigrationTarget, "open" | "blobs" | "publish">> {
  if (s3 !== null) return openBucketCopies(s3, target, of, onTrouble);
  return {
    open: () => createDiskCopies(target.blobs, syncVolume),
    blobs: await createDiskBlobs(target.blobs),
    publish: async () => {},
  };
}

async function openDatabase(url: string, of: string) {
  const { openPostgresDestination } = await import("../catalog/postgres/postgres-destination.ts");
  return openPostgresDestination(url, of);
}
