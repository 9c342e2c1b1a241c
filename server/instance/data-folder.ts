import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
} from "node:fs";
import { join } from "node:path";
import { type DataFolder, dataFolderAt } from "../fs/data-folder-layout.ts";
import { removeDrafts, writeFileAtomic } from "../fs/write-file-atomic.ts";
import { MARKER, type Marker, readMarker, writeMarker } from "./marker.ts";

/**
 * Opens the data folder, or makes one where there is nothing. Throws an Error that says why when
 * the folder cannot be written, is somebody else's, or has a layout that this version does not know.
 */
export function openDataFolder(path: string): DataFolder {
  makeWritable(path, "DATA_PATH");
  const folder = dataFolderAt(path);
  const marker = readMarker(path);
  if (marker !== undefined) refuseUnfinished(path, marker);
  else {
    refuseForeign(path);
    writeMarker(path, {});
  }
  return folder;
}

/**
 * Makes a data folder one's own, once it is locked. What interrupted starts have left goes. A backup
 * that is served or added to is a backup no longer, and the next backup must not undo what was done
 * there. Error: it is unfinished.
 */
export function claimDataFolder({ path }: DataFolder): void {
  const marker = readMarker(path);
  if (marker === undefined) return;
  refuseUnfinished(path, marker);
  for (const name of [MARKER, SECRET]) removeDrafts(join(path, name));
  if (marker.backupOf !== undefined) writeMarker(path, {});
}

/** Error: a command that has been interrupted has left only a part. */
export function refuseUnfinished(path: string, { unfinished }: Marker): void {
  if (unfinished !== undefined) {
    const command = unfinished === "migration" ? "migrate" : unfinished;
    throw new Error(
      `${path} is an unfinished ${unfinished}: run holdall ${command} again, which goes on where it stopped.`,
    );
  }
}

/** Makes the folder where there is none. Error, which names it as `what`: it cannot be written. */
export function makeWritable(path: string, what: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${what} is "${path}", but must be a folder that this user may write: ${why}.`);
  }
}

/** Error: the folder, which has no marker, is not empty. */
export function refuseForeign(path: string): void {
  if (existsSync(dataFolderAt(path).catalog)) {
    throw new Error(`${path} has lost its ${MARKER}: restore it.`);
  }
  if (readdirSync(path).some(isForeign)) {
    throw new Error(
      `${path} has other things in it and is no data folder of Holdall: choose an empty or a new one.`,
    );
  }
}

/**
 * The data folder of an instance that has been served. Makes nothing; throws an Error that says
 * what is not there.
 */
export function findDataFolder(path: string): DataFolder {
  if (!existsSync(join(path, MARKER))) {
    throw new Error(`DATA_PATH is "${path}", but there is no data folder of Holdall.`);
  }
  return openDataFolder(path);
}

/** For a command that changes the instance. Error: the folder is a backup. */
export function refuseBackup({ path }: DataFolder): void {
  if (readMarker(path)?.backupOf === undefined) return;
  throw new Error(`${path} is a backup, and the next backup would undo the change.`);
}

/** What a volume or an interrupted first start may have left is nobody's. */
const isForeign = (name: string): boolean =>
  name !== "lost+found" && !name.startsWith(".") && !name.startsWith(MARKER);

/**
 * The secret that signs URLs: made on the first start, readable by its owner only. Throws an Error
 * when the kept one is too short to be a secret: anybody could sign with an empty one.
 */
export function readOrCreateSecret(folder: DataFolder): string {
  const file = join(folder.path, SECRET);
  if (!existsSync(file)) {
    const random = crypto.getRandomValues(new Uint8Array(48));
    storeSecret(folder, Buffer.from(random).toString("base64url"));
  }
  chmodSync(file, 0o600);
  const secret = readSecret(folder) ?? "";
  if (secret.length < SHORTEST_SECRET) {
    throw new Error(
      `${file} must hold at least ${SHORTEST_SECRET} characters: restore it, or remove it to start with a new secret, which ends every signed URL.`,
    );
  }
  return secret;
}

/** The kept secret as it is; undefined: none has been made yet. */
export function readSecret({ path }: DataFolder): string | undefined {
  const file = join(path, SECRET);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

export function storeSecret({ path }: DataFolder, secret: string): void {
  writeFileAtomic(join(path, SECRET), `${secret}\n`);
}

const SHORTEST_SECRET = 32;

/** The file of the kept secret in its data folder. */
export const SECRET = "auth-secret";
