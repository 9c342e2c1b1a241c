import { closeSync, linkSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { blobPath } from "../../server/blobs/disk/disk-paths.ts";
import { blobId } from "../../server/rules/blob-id.ts";
import { openCatalogRows } from "../catalog-rows.ts";
import { startServer } from "../server-process.ts";

export const KB = 1024;
export const MB = 1024 * KB;
export const GB = 1024 * MB;

const FILES_PER_FOLDER = 1000;

/** What lies in the catalog, and as plain files for the peers. The paths are those of URLs. */
export interface HostedFiles {
  /** Of `count` files of 4 KB: one path in so many has bytes. */
  readonly small: readonly string[];
  readonly private: readonly string[];
  readonly kb64: readonly string[];
  readonly mb1: readonly string[];
  readonly gb1: string;
}

export interface HostedFilesOptions {
  readonly dataPath: string;
  /** Where the peers find the same bytes: hard links, at the paths of the URLs. */
  readonly root: string;
  /** How many files of 4 KB the catalog has. */
  readonly count: number;
  /** How many of them have bytes, evenly among all. */
  readonly withBytes: number;
}

/** Fills a data folder that does not exist yet. Takes about 60 µs a file. */
export async function makeHostedFiles(options: HostedFilesOptions): Promise<HostedFiles> {
  const { dataPath, root, count, withBytes } = options;
  await (await startServer({ dataPath })).stop();
  const start = Date.now() - count - 10_000;
  const rows = openCatalogRows(dataPath, start);
  const blobs = join(dataPath, "blobs");
  let last = 0;

  function add(folder: string, key: string, size: number, options: AddOptions = {}): string {
    const { visibility = "public", bytes = true } = options;
    last += 1;
    const name = key.slice(key.lastIndexOf("/") + 1);
    const mimeType = "application/octet-stream";
    rows.addFile({ folder, name, mimeType, size, visibility, blob: last, time: start + last });
    const path = `/api/hosting/${key}`;
    if (bytes) {
      const blob = blobPath(blobs, blobId(Math.floor(last / 256), last % 256));
      writeBytes(blob, size, last);
      mkdirSync(dirname(root + path), { recursive: true });
      linkSync(blob, root + path);
    }
    return path;
  }

  const many = (folder: string, amount: number, size: number, options?: AddOptions): string[] => {
    const id = rows.addFolder(rows.root, folder, folder);
    return Array.from({ length: amount }, (_, n) => add(id, `${folder}/${n}.bin`, size, options));
  };

  const kb64 = many("kb64", 100, 64 * KB);
  const mb1 = many("mb1", 16, MB);
  const [gb1 = ""] = many("gb1", 1, GB);
  const hidden = many("private", 1000, 4 * KB, { visibility: "private" });
  const small: string[] = [];
  const every = Math.max(1, Math.floor(count / withBytes));
  const parent = rows.addFolder(rows.root, "files", "files");
  let folder = parent;
  for (let number = 0; number < count; number += 1) {
    const group = Math.floor(number / FILES_PER_FOLDER);
    if (number % FILES_PER_FOLDER === 0) {
      folder = rows.addFolder(parent, `${group}`, `files/${group}`);
    }
    const bytes = number % every === 0;
    const path = add(folder, `files/${group}/file-${number}.bin`, 4 * KB, { bytes });
    if (bytes) small.push(path);
  }
  rows.close();
  return { small, private: hidden, kb64, mb1, gb1 };
}

interface AddOptions {
  readonly visibility?: "public" | "private";
  readonly bytes?: boolean;
}

const CHUNK = Buffer.alloc(MB).map((_, index) => (index * 31) ^ (index >> 8));

function writeBytes(path: string, size: number, seed: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "wx", 0o600);
  for (let written = 0; written < size; ) {
    const from = size >= MB ? 0 : (seed * 61) % (MB - size);
    written += writeSync(file, CHUNK, from, Math.min(size - written, MB));
  }
  closeSync(file);
}
