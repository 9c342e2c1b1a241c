import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quoteIfNeeded } from "../../contract/text/quote-shell.ts";
import { commandLine } from "../config/command-line.ts";
import { type DataFolder, dataFolderAt, hasBlobs } from "../fs/data-folder-layout.ts";
import { makeWritable } from "../fs/make-writable.ts";
import { removeDrafts } from "../fs/write-file-atomic.ts";
import { SECRET_FILE } from "./auth-secret.ts";
import { MARKER, type Marker, readMarker, type Unfinished, writeMarker } from "./marker.ts";

/**
 * Opens the data folder, or creates one in an empty or missing folder. Error: it cannot be written,
 * has other content or an unknown layout, or is unfinished.
 */
export function openDataFolder(path: string): DataFolder {
  makeWritable(path, "DATA_PATH");
  const folder = dataFolderAt(path);
  const marker = readMarker(path);
  if (marker !== undefined) refuseUnfinished(path, marker);
  else {
    requireEmptyFolder(path);
    keepOutOfRepositories(path);
    writeMarker(path, {});
  }
  return folder;
}

/** The folder may be in a project, whose repository must never get an instance's files and keys. */
export function keepOutOfRepositories(path: string): void {
  const file = join(path, ".gitignore");
  if (!existsSync(file)) writeFileSync(file, "*\n", { mode: 0o600 });
}

/**
 * Takes over a data folder that this process has locked. Removes leftovers of interrupted starts. A
 * backup that is served is no longer marked as a backup, so that the next backup does not overwrite its
 * changes. Error: it is unfinished.
 */
export function claimDataFolder({ path }: DataFolder): void {
  const marker = readMarker(path);
  if (marker === undefined) return;
  refuseUnfinished(path, marker);
  removeFolderDrafts(path);
  if (marker.backupOf !== undefined) writeMarker(path, {});
}

/** Removes what killed processes have left of writes to the folder. Call it with the folder's lock. */
export function removeFolderDrafts(path: string): void {
  for (const name of [MARKER, SECRET_FILE]) removeDrafts(join(path, name));
}

/** Whether an instance was opened here, so that its catalog must have a root folder. */
export const hasBeenUsed = (folder: DataFolder): boolean =>
  readMarker(folder.path)?.instance !== undefined || hasBlobs(folder);

/** Remembers that the folder is in use, by an instance with this root folder. */
export function noteUse({ path }: DataFolder, instance: string): void {
  const marker = readMarker(path) ?? {};
  if (marker.instance !== instance) writeMarker(path, { ...marker, instance });
}

/** Error: an interrupted command has left an incomplete instance. */
export function refuseUnfinished(path: string, { unfinished }: Marker): void {
  if (unfinished !== undefined) {
    throw new Error(
      `${path} is an unfinished ${unfinished}: run ${COMMANDS[unfinished](path)} again, which continues where it stopped.`,
    );
  }
}

/** A backup and a move run with the variables of the instance that they copy, not with this folder. */
const COMMANDS: Readonly<Record<Unfinished, (path: string) => string>> = {
  backup: (path) => `\`holdall backup ${quoteIfNeeded(path)}\` on its instance`,
  restore: (dataPath) => `\`${commandLine({ dataPath }, "restore PATH")}\``,
  migration: () => "`holdall migrate --to FILE` on the old instance",
};

/** Error: the folder, which has no marker, is not empty. */
export function requireEmptyFolder(path: string): void {
  if (existsSync(dataFolderAt(path).catalog)) {
    throw new Error(`${path} has lost its ${MARKER}: restore it.`);
  }
  if (existsSync(join(path, ".minio.sys"))) {
    throw new Error(
      `${path} has the data of MinIO, whose files cannot be served as they are: choose an empty folder, and import each bucket while MinIO still runs: \`holdall import s3://BUCKET --endpoint URL\` (docs/in-place-of-minio.md).`,
    );
  }
  if (readdirSync(path).some(isOtherContent)) {
    throw new Error(
      `${path} is not empty and is not a data folder of Holdall: choose an empty or a new one.`,
    );
  }
}

/** Whether the entry comes neither from the volume nor from an interrupted first start. */
const isOtherContent = (name: string): boolean =>
  name !== "lost+found" && !name.startsWith(".") && !name.startsWith(MARKER);

/** Opens the data folder of an existing instance. Creates nothing. Error: there is none. */
export function findDataFolder(path: string): DataFolder {
  requireInstance(path);
  return openDataFolder(path);
}

/** Error: no instance has its data folder there. */
export function requireInstance(path: string): void {
  if (existsSync(join(path, MARKER))) return;
  throw new Error(
    `there is no instance of Holdall in ${path}. Set DATA_PATH to the data folder of the instance, or start the server, which creates one.`,
  );
}

/** Refuses a backup, for a command that changes the instance. Error: the folder is a backup. */
export function refuseBackup({ path }: DataFolder): void {
  if (readMarker(path)?.backupOf === undefined) return;
  throw new Error(`${path} is a backup, and the next backup would undo the change.`);
}
