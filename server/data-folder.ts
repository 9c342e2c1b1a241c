import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** What lies where in the data folder. */
export interface DataFolder {
  readonly path: string;
  readonly catalog: string;
  readonly blobs: string;
}

const MARKER = "holdall.json";
const LAYOUT = 1;

/**
 * Opens the data folder, or makes one where there is nothing. Throws an Error that says why when
 * the folder cannot be written, is somebody else's, or has a layout that this version does not know.
 */
export function openDataFolder(path: string): DataFolder {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `DATA_PATH is "${path}", but must be a folder that this user may write: ${why}.`,
    );
  }
  const marker = join(path, MARKER);
  const folder = { path, catalog: join(path, "catalog.sqlite"), blobs: join(path, "blobs") };
  if (existsSync(marker)) checkLayout(path, readFileSync(marker, "utf8"));
  else if (existsSync(folder.catalog))
    throw new Error(`${path} has lost its ${MARKER}: restore it.`);
  else writeFileSync(marker, `${JSON.stringify({ layout: LAYOUT })}\n`);
  return folder;
}

function checkLayout(path: string, text: string): void {
  let layout: unknown;
  try {
    layout = JSON.parse(text).layout;
  } catch {
    throw new Error(`${path} is no data folder of Holdall: its ${MARKER} cannot be read.`);
  }
  if (layout !== LAYOUT) {
    throw new Error(
      `${path} has layout ${String(layout)}, and this version of Holdall knows layout ${LAYOUT}.`,
    );
  }
}

/** The secret that signs URLs: made on the first start, readable by its owner only. */
export function keptSecret({ path }: DataFolder): string {
  const file = join(path, "auth-secret");
  if (!existsSync(file)) {
    const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString("base64url");
    writeFileSync(`${file}.new`, `${secret}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  chmodSync(file, 0o600);
  return readFileSync(file, "utf8").trim();
}
