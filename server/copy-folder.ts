import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { type FolderLock, lockFolder } from "./catalog/sqlite/folder-lock.ts";
import { settleFile } from "./catalog/sqlite/settle-file.ts";
import { type DataFolder, layOut, makeWritable, refuseForeign, SECRET } from "./data-folder.ts";
import { type Marker, readMarker, type Unfinished, writeMarker } from "./marker.ts";
import { moveWhole, writeWhole } from "./write-whole.ts";

/** A data folder that a backup or a restore fills, locked against everybody else. */
export interface CopyFolder extends DataFolder {
  /** Where the catalog is put until every blob is there. */
  readonly draft: string;
  /** Puts the catalog that lies at `draft` in place, and the secret of `from` where it keeps one. */
  publish(from: DataFolder): void;
  release(): void;
}

/** What the folder becomes: the backup of an instance, or the instance that a backup is of. */
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
    settleFile(layOut(path).catalog);
  } catch (error) {
    lock.release();
    throw error;
  }
  const folder = layOut(path);
  const draft = `${folder.catalog}.new`;
  return {
    ...folder,
    draft,
    publish(from) {
      const secret = join(from.path, SECRET);
      if (existsSync(secret)) writeWhole(join(path, SECRET), readFileSync(secret));
      moveWhole(draft, folder.catalog);
      writeMarker(path, purpose.work === "backup" ? { backupOf: purpose.backupOf } : {});
    },
    release: () => lock.release(),
  };
}

/** A whole backup, held while it is read. Error: it is none, or it is being written. */
export function openBackup(path: string): { folder: DataFolder; of: string; release(): void } {
  const marker = existsSync(path) ? readMarker(path) : undefined;
  if (marker === undefined) throw new Error(`${path} is no backup of Holdall.`);
  if (marker.backupOf === undefined || marker.unfinished === "restore") {
    throw new Error(
      `${path} is a data folder, and no backup: make one of it with DATA_PATH=${path} holdall backup.`,
    );
  }
  if (marker.unfinished === "backup") {
    throw new Error(`${path} is an unfinished backup: run holdall backup again.`);
  }
  // A backup may lie where nothing can be written; then nobody else writes there either.
  const folder = layOut(path);
  if (!existsSync(folder.catalog)) throw new Error(`${path} has lost its catalog.`);
  if (!mayWrite(path)) return { folder, of: marker.backupOf, release: () => {} };
  const lock = lockInUse(path);
  settleFile(folder.catalog);
  return { folder, of: marker.backupOf, release: () => lock.release() };
}

/** Copies the catalog of a backup to where `publish` takes it from, such that it survives a power cut. */
export async function draftFrom(backup: DataFolder, { draft }: CopyFolder): Promise<void> {
  // Made first, so that nobody else on the machine may read it.
  writeFileSync(draft, "", { mode: 0o600 });
  await copyFile(backup.catalog, draft);
  const file = openSync(draft, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
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
  if (work === "restore") {
    throw new Error(
      `${path} has something in it already: restore into a folder that is empty or not there, or that an unfinished restore of this backup has left.`,
    );
  }
  if (isOurs && marker.unfinished === undefined) return;
  throw new Error(
    marker.backupOf === undefined
      ? `${path} is a data folder, and no backup: choose another path.`
      : `${path} is of another instance of Holdall: choose another path.`,
  );
}

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
