import { closeSync, linkSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { blobPath } from "../../server/blobs/disk/disk-paths.ts";
import { blobId } from "../../server/domain/blob-id.ts";
import { openCatalogRows } from "../catalog-rows.ts";
import { startServer } from "../server-process.ts";

export const KB = 1024;
export const MB = 1024 * KB;
export const GB = 1024 * MB;

const FILES_PER_FOLDER = 1000;

/** The files in the catalog, which the peers serve as plain files. Paths are URL paths. */
export interface HostedFiles {
  /** The files of 4 KB that have bytes. */
  readonly small: readonly string[];
  readonly private: readonly string[];
  /** Ten times what FILE_MEMORY holds. */
  readonly kb64: readonly string[];
  readonly mb1: readonly string[];
  readonly gb1: string;
}

export interface HostedFilesOptions {
  readonly dataPath: string;
  /** Root folder of the peers: hard links to the blobs, at the URL paths. */
  readonly root: string;
  /** Number of files of 4 KB in the catalog. */
  readonly count: number;
  /** Number of them that have bytes, spread evenly. */
  readonly withBytes: number;
}

/** Fills a new data folder. Takes about 60 µs per file. */
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
    const isSmall = bytes && size < MB;
    const content = isSmall ? bytesOf(size, last) : undefined;
    const checksum = content === undefined ? 0 : crc32(content);
    const sha256 = content && Bun.CryptoHasher.hash("sha256", content, "hex");
    rows.addFile({
      folder,
      name,
      mimeType,
      size,
      visibility,
      checksum,
      sha256,
      blob: last,
      time: start + last,
    });
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

  const kb64 = many("kb64", 2560, 64 * KB);
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

/** The bytes of a file of less than 1 MB. */
function bytesOf(size: number, seed: number): Uint8Array {
  const from = (seed * 61) % (MB - size);
  return CHUNK.subarray(from, from + size);
}

function writeBytes(path: string, size: number, seed: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "wx", 0o600);
  if (size < MB) writeSync(file, bytesOf(size, seed));
  else for (let written = 0; written < size; written += MB) writeSync(file, CHUNK);
  closeSync(file);
}
