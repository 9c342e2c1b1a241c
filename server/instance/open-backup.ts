import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { quoteIfNeeded } from "../../contract/text/quote-shell.ts";
import { createDiskBlobs } from "../blobs/disk/disk.ts";
import type { BlobInspection } from "../blobs/port.ts";
import { checkpointFile } from "../catalog/sqlite/checkpoint-file.ts";
import { commandLine } from "../config/command-line.ts";
import { type DataFolder, dataFolderAt } from "../fs/data-folder-layout.ts";
import { isWritable, lockForReading } from "./copy-folder.ts";
import { readMarker } from "./marker.ts";

export interface Backup {
  readonly folder: DataFolder;
  /** The id of the instance's root folder. */
  readonly instanceId: string;
  readonly blobs: BlobInspection;
  release(): void;
}

/** Opens and locks a complete backup. Error: the folder is not a backup, is incomplete, or is in use. */
export async function openBackup(path: string): Promise<Backup> {
  const marker = existsSync(path) ? readMarker(path) : undefined;
  if (marker === undefined) throw new Error(`${path} is not a backup of Holdall.`);
  if (marker.backupOf === undefined || (marker.unfinished ?? "backup") !== "backup") {
    throw new Error(
      `${path} is a data folder, not a backup: make a backup of it with \`${commandLine({ dataPath: resolve(path) }, "backup PATH")}\`.`,
    );
  }
  if (marker.unfinished === "backup") {
    throw new Error(
      `${path} is an unfinished backup: run \`holdall backup ${quoteIfNeeded(resolve(path))}\` on its instance again.`,
    );
  }
  const folder = dataFolderAt(path);
  if (!existsSync(folder.catalog)) throw new Error(`${path} has lost its catalog.`);
  const { release } = lockForReading(path);
  try {
    if (isWritable(path)) checkpointFile(folder.catalog);
    const blobs = await createDiskBlobs(folder.blobs);
    return { folder, instanceId: marker.backupOf, blobs, release };
  } catch (cause) {
    release();
    throw cause;
  }
}
