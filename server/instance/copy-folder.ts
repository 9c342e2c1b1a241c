import { accessSync, constants, existsSync, realpathSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { checkpointFile } from "../catalog/sqlite/checkpoint-file.ts";
import { type FolderLock, lockFolder } from "../catalog/sqlite/folder-lock.ts";
import { fsyncFileSync } from "../fs/fsync-file.ts";
import { renameDurably } from "../fs/write-file-atomic.ts";
import { type DataFolder, keepSecret, layOut, makeWritable, refuseForeign } from "./data-folder.ts";
import { type Marker, readMarker, type Unfinished, writeMarker } from "./marker.ts";

/** A data folder that a backup, a restore or a migration fills, locked against everybody else. */
export interface CopyFolder extends DataFolder {
  /** Where the catalog is put until every blob is there. */
  readonly draft: string;
  /** An earlier try has begun to publish. */
  readonly isWhole: boolean;
  /**
   * Everything is there: puts the catalog in place that lies at `draft`, if one does, and keeps the
   * secret that signs URLs. `others` are published in between, and again when this is interrupted.
   */
  publish(secret: string | undefined, others?: () => Promise<void>): Promise<void>;
  release(): void;
}

/** What the folder becomes: the backup of an instance, or that instance in another place. */
export interface Purpose {
  readonly work: Unfinished;
  readonly backupOf: string;
}

/**
 * Makes a folder ready to be filled: new, empty, unfinished, or for a backup an earlier one of the
 * same instance. `name` is what messages call it. Error: it is anything else, or is in use.
 */
export function openCopyFolder(path: string, name: string, purpose: Purpose): CopyFolder {
  makeWritable(path, name);
  const marker = readMarker(path);
  if (marker === undefined) {
    refuseForeign(path);
    writeMarker(path, { backupOf: purpose.backupOf, unfinished: purpose.work });
  } else refuseOther(path, marker, purpose);
  const lock = lockInUse(path);
  try {
    // Somebody else may have come first.
    refuseOther(path, readMarker(path) ?? {}, purpose);
    // Somebody may have looked into the backup that is there.
    checkpointFile(layOut(path).catalog);
  } catch (error) {
    lock.release();
    throw error;
  }
  const folder = layOut(path);
  const draft = `${folder.catalog}.new`;
  return {
    ...folder,
    draft,
    isWhole: readMarker(path)?.isWhole === true,
    async publish(secret, others = async () => {}) {
      const { work: unfinished, backupOf } = purpose;
      if (secret !== undefined) keepSecret(folder, secret);
      // A backup holds what it held before until the catalog is moved.
      if (unfinished !== "backup") writeMarker(path, { backupOf, unfinished, isWhole: true });
      if (existsSync(draft)) renameDurably(draft, folder.catalog);
      await others();
      writeMarker(path, unfinished === "backup" ? { backupOf } : {});
    },
    release: () => lock.release(),
  };
}

/** A whole backup, held while it is read. Error: it is none, or it is being written. */
export function openBackup(path: string): { folder: DataFolder; of: string; release(): void } {
  const marker = existsSync(path) ? readMarker(path) : undefined;
  if (marker === undefined) throw new Error(`${path} is no backup of Holdall.`);
  if (marker.backupOf === undefined || (marker.unfinished ?? "backup") !== "backup") {
    throw new Error(
      `${path} is a data folder, and no backup: make one of it with DATA_PATH=${path} holdall backup.`,
    );
  }
  if (marker.unfinished === "backup") {
    throw new Error(`${path} is an unfinished backup: run holdall backup again.`);
  }
  const folder = layOut(path);
  if (!existsSync(folder.catalog)) throw new Error(`${path} has lost its catalog.`);
  const { release } = holdFolder(path);
  if (mayWrite(path)) checkpointFile(folder.catalog);
  return { folder, of: marker.backupOf, release };
}

/**
 * Keeps everybody else off a folder that is read. It may lie where nothing can be written; then
 * nobody else writes there either. Error: it is in use.
 */
export function holdFolder(path: string): { release(): void } {
  return mayWrite(path) ? lockInUse(path) : { release: () => {} };
}

/** Copies the catalog of a backup to where `publish` takes it from, such that it survives a power cut. */
export async function draftFrom(backup: DataFolder, { draft }: CopyFolder): Promise<void> {
  // Made first, so that nobody else on the machine may read it.
  writeFileSync(draft, "", { mode: 0o600 });
  await copyFile(backup.catalog, draft);
  fsyncFileSync(draft);
}

/** Error: one of the two folders, which need not exist, is or lies within the other. */
export function refuseNested(path: string, dataPath: string): void {
  const [a, b] = [realPath(path), realPath(dataPath)];
  if (`${a}${sep}`.startsWith(`${b}${sep}`) || `${b}${sep}`.startsWith(`${a}${sep}`)) {
    throw new Error(`${path} and the data folder ${dataPath} must lie apart: choose another path.`);
  }
}

function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}

function refuseOther(path: string, marker: Marker, { work, backupOf }: Purpose): void {
  const isOurs = marker.backupOf === backupOf;
  if (isOurs && marker.unfinished === work) return;
  if (work !== "backup") throw new Error(`${path} has something in it already: ${INTO[work]}.`);
  if (isOurs && marker.unfinished === undefined) return;
  throw new Error(
    marker.backupOf === undefined
      ? `${path} is a data folder, and no backup: choose another path.`
      : `${path} is of another instance of Holdall: choose another path.`,
  );
}

const INTO = {
  restore:
    "restore into a folder that is empty or not there, or that an unfinished restore of this backup has left",
  migration:
    "choose a DATA_PATH that is empty or not there, or that an unfinished migration of this instance has left",
};

function lockInUse(path: string): FolderLock {
  return lockFolder(path, `${path} is in use by another Holdall. Wait until it is done.`);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
