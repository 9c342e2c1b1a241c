import { existsSync } from "node:fs";
import { join } from "node:path";
import { createDiskBlobs } from "./blobs/disk/disk.ts";
import { createDiskCopies } from "./blobs/disk/disk-copies.ts";
import { openSnapshot } from "./catalog/sqlite/open-snapshot.ts";
import { openSqliteCatalog } from "./catalog/sqlite/sqlite-catalog.ts";
import { takeSnapshot } from "./catalog/sqlite/take-snapshot.ts";
import type { Config } from "./config.ts";
import {
  type CopyFolder,
  draftFrom,
  openBackup,
  openCopyFolder,
  refuseNested,
} from "./copy-folder.ts";
import { type DataFolder, openDataFolder } from "./data-folder.ts";
import { ROOT_KEY } from "./rules/name.ts";
import { type BackedUp, backup, type Destination } from "./transfer/backup.ts";
import type { Copied } from "./transfer/copy-blobs.ts";
import type { OnProblem, Progress } from "./transfer/progress.ts";
import { restore } from "./transfer/restore.ts";

/*
 * The composition root of the commands that carry everything in or out, as `app.ts` is the server's.
 */

export interface Watched {
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

/** `backup PATH`, beside a running server or not. Error: PATH is not for a backup of this instance. */
export async function backUp(config: Config, path: string, watched: Watched): Promise<BackedUp> {
  refuseNested(path, config.dataPath);
  const data = existingFolder(config);
  const catalog = await openSqliteCatalog({ path: data.catalog, exclusive: false });
  try {
    const root = await catalog.folderByKey(ROOT_KEY);
    if (root === undefined) throw new Error("The catalog has lost its root folder.");
    const target = openCopyFolder(path, "PATH", { work: "backup", backupOf: root.id });
    try {
      return await backup({
        ledger: catalog,
        from: await createDiskBlobs(data.blobs),
        async takeSnapshot() {
          await takeSnapshot(data.catalog, target.draft);
          return openSnapshot(target.draft);
        },
        to: await destination(target, data),
        ...watched,
      });
    } finally {
      target.release();
    }
  } finally {
    await catalog.close();
  }
}

/** `restore PATH`, into the data folder. Error: PATH is no whole backup, or the folder is not empty. */
export async function restoreFrom(config: Config, path: string, watched: Watched): Promise<Copied> {
  refuseNested(path, config.dataPath);
  const source = openBackup(path);
  try {
    const purpose = { work: "restore", backupOf: source.of } as const;
    const target = openCopyFolder(config.dataPath, "DATA_PATH", purpose);
    try {
      await draftFrom(source.folder, target);
      const snapshot = await openSnapshot(target.draft);
      try {
        return await restore({
          snapshot,
          from: await createDiskBlobs(source.folder.blobs),
          to: await destination(target, source.folder),
          ...watched,
        });
      } finally {
        snapshot.close();
      }
    } finally {
      target.release();
    }
  } finally {
    source.release();
  }
}

async function destination(target: CopyFolder, from: DataFolder): Promise<Destination> {
  return {
    copies: await createDiskCopies(target.blobs),
    blobs: await createDiskBlobs(target.blobs),
    publish: () => target.publish(from),
  };
}

/** What there is to carry: none of these commands begins a new instance. */
function existingFolder({ dataPath }: Config): DataFolder {
  if (!existsSync(join(dataPath, "holdall.json"))) {
    throw new Error(`DATA_PATH is "${dataPath}", and there is no data folder of Holdall.`);
  }
  return openDataFolder(dataPath);
}
