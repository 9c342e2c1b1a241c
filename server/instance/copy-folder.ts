import { accessSync, constants, existsSync, rmSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { checkpointFile } from "../catalog/sqlite/checkpoint-file.ts";
import { type FolderLock, lockFolder } from "../catalog/sqlite/folder-lock.ts";
import { catalogDraftOf, type DataFolder, dataFolderAt } from "../fs/data-folder-layout.ts";
import { fsyncFileSync } from "../fs/fsync.ts";
import { makeWritable } from "../fs/make-writable.ts";
import { renameDurably } from "../fs/write-file-atomic.ts";
import { storeSecret } from "./auth-secret.ts";
import { keepOutOfRepositories, removeFolderDrafts, requireEmptyFolder } from "./data-folder.ts";
import { type Marker, readMarker, type Unfinished, writeMarker } from "./marker.ts";

/** A data folder that a backup, a restore or a move fills. This process holds its lock. */
export interface CopyFolder extends DataFolder {
  /** The path of the catalog until every blob is copied. */
  readonly draft: string;
  /** An earlier attempt was complete and had started to publish. */
  readonly isWhole: boolean;
  /**
   * Call this once every blob is copied. Stores the secret that signs URLs and moves the catalog, if it
   * is at `draft`, into its place. Then calls `publishOthers`, again after an interruption.
   */
  publish(secret: string | undefined, publishOthers?: () => Promise<void>): Promise<void>;
  /** Call this once nothing of the previous backup is left over. */
  finish(): void;
  release(): void;
}

/** What the folder becomes: the backup of an instance, or the instance in another place. */
export interface Purpose {
  readonly work: Unfinished;
  /** The id of the instance's root folder. */
  readonly backupOf: string;
}

/**
 * Prepares a folder to be filled: a new, empty or unfinished one, or for a backup also an earlier
 * backup of the same instance. Messages call it `name`. Error: the folder is anything else, or in use.
 */
export function openCopyFolder(path: string, name: string, purpose: Purpose): CopyFolder {
  makeWritable(path, name);
  const marker = readMarker(path);
  if (marker === undefined) {
    requireEmptyFolder(path);
    keepOutOfRepositories(path);
    writeMarker(path, { backupOf: purpose.backupOf, unfinished: purpose.work });
  } else refuseOther(path, marker, purpose);
  const folder = dataFolderAt(path);
  const lock = lockUnlessInUse(path);
  try {
    // Another process may have been faster.
    refuseOther(path, readMarker(path) ?? {}, purpose);
    removeFolderDrafts(path);
    if (purpose.work === "backup" && marker !== undefined && marker.unfinished === undefined) {
      writeMarker(path, { backupOf: purpose.backupOf, isRenewed: true });
    }
    // A reader of the existing backup may have left a WAL file.
    checkpointFile(folder.catalog);
  } catch (error) {
    lock.release();
    throw error;
  }
  const draft = catalogDraftOf(folder);
  return {
    ...folder,
    draft,
    isWhole: readMarker(path)?.isWhole === true,
    async publish(secret, publishOthers = async () => {}) {
      const { work: unfinished, backupOf } = purpose;
      if (secret !== undefined) storeSecret(folder, secret);
      // A backup keeps its previous content until the catalog is replaced.
      if (unfinished !== "backup") writeMarker(path, { backupOf, unfinished, isWhole: true });
      if (existsSync(draft)) renameDurably(draft, folder.catalog);
      await publishOthers();
      writeMarker(path, unfinished === "backup" ? { backupOf, isRenewed: true } : {});
    },
    finish: () => writeMarker(path, { backupOf: purpose.backupOf }),
    release: () => lock.release(),
  };
}

/**
 * Locks a folder that this process reads. A folder that is not writable needs no lock. Error: it is in
 * use.
 */
export function lockForReading(path: string): { release(): void } {
  return isWritable(path) ? lockUnlessInUse(path) : { release: () => {} };
}

/** Copies the catalog of a backup to the draft of a folder, durably. */
export async function copyCatalogToDraft(backup: DataFolder, { draft }: CopyFolder): Promise<void> {
  // An attempt that was killed while it upgraded its draft has left them, and SQLite would add them to the new one.
  for (const suffix of ["-wal", "-shm"]) rmSync(draft + suffix, { force: true });
  // Created with its final mode first, so that other users can never read it.
  writeFileSync(draft, "", { mode: 0o600 });
  await copyFile(backup.catalog, draft);
  fsyncFileSync(draft);
}

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function refuseOther(path: string, marker: Marker, { work, backupOf }: Purpose): void {
  const isSameInstance = marker.backupOf === backupOf;
  if (isSameInstance && marker.unfinished === work) return;
  if (work !== "backup") throw new Error(`${path} is not empty: ${ADVICE[work]}.`);
  if (isSameInstance && marker.unfinished === undefined) return;
  throw new Error(
    marker.backupOf === undefined
      ? `${path} is a data folder, not a backup: choose another path.`
      : `${path} belongs to another instance of Holdall: choose another path.`,
  );
}

const ADVICE = {
  restore:
    "restore into a folder that is empty or does not exist, or that an unfinished restore of this backup has left",
  migration:
    "choose a DATA_PATH that is empty or does not exist, or that an unfinished migration of this instance has left",
};

const lockUnlessInUse = (path: string): FolderLock =>
  lockFolder(path, `${path} is in use by another Holdall. Wait until it is done.`);
