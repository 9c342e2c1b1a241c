import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

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
  else if (readdirSync(path).some(isForeign))
    throw new Error(
      `${path} has other things in it and is no data folder of Holdall: choose an empty or a new one.`,
    );
  else writeWhole(marker, `${JSON.stringify({ layout: LAYOUT })}\n`);
  return folder;
}

/** What a volume or an interrupted first start may have left is nobody's. */
const isForeign = (name: string): boolean =>
  name !== "lost+found" && !name.startsWith(".") && !name.startsWith(MARKER);

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

/**
 * The secret that signs URLs: made on the first start, readable by its owner only. Throws an Error
 * when the kept one is too short to be a secret: anybody could sign with an empty one.
 */
export function keptSecret({ path }: DataFolder): string {
  const file = join(path, "auth-secret");
  if (!existsSync(file)) {
    const random = crypto.getRandomValues(new Uint8Array(48));
    writeWhole(file, `${Buffer.from(random).toString("base64url")}\n`);
  }
  chmodSync(file, 0o600);
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length < SHORTEST_SECRET) {
    throw new Error(
      `${file} must hold at least ${SHORTEST_SECRET} characters: restore it, or remove it to start with a new secret, which ends every signed URL.`,
    );
  }
  return secret;
}

const SHORTEST_SECRET = 32;

/** Whoever is interrupted leaves no file or a whole one, also after a power cut. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, file);
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
