import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { blobPath } from "../../server/blobs/disk/disk-paths.ts";
import { blobId } from "../../server/domain/blob-id.ts";
import { openCatalogRows } from "../catalog-rows.ts";

/** The files of one folder of the seed, in subfolders of 1,000. */
export interface ZipSeed {
  readonly folder: string;
  readonly files: number;
  /** In bytes, of each file. */
  readonly size: number;
}

const FILES_PER_FOLDER = 1000;
const BLOCK_SIZE = 256;
/** Far from the blocks that the server leases. */
const FIRST_BLOCK = 1_000_000;

/** Fills the catalog and the blob folder of a stopped server with files of zeroes. */
export function seedZips(dataPath: string, seeds: readonly ZipSeed[]): void {
  const start = Date.now();
  const rows = openCatalogRows(dataPath, start);
  let count = 0;
  for (const { folder, files, size } of seeds) {
    const top = rows.addFolder(rows.root, folder, folder);
    const checksum = crc32(new Uint8Array(size));
    let inner = top;
    for (let file = 0; file < files; file += 1) {
      if (file % FILES_PER_FOLDER === 0) {
        const name = `${file / FILES_PER_FOLDER}`;
        inner = rows.addFolder(top, name, `${folder}/${name}`);
      }
      const blob = blobId(FIRST_BLOCK + Math.floor(count / BLOCK_SIZE), count % BLOCK_SIZE);
      writeZeroes(blobPath(join(dataPath, "blobs"), blob), size);
      const name = `file-${file}.bin`;
      const mimeType = "application/octet-stream";
      rows.addFile({
        folder: inner,
        name,
        mimeType,
        size,
        visibility: "public",
        blob,
        checksum,
        time: start,
      });
      count += 1;
    }
  }
  rows.close();
}

/** A file with a hole, which reads as zeroes. */
function writeZeroes(path: string, size: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  truncateSync(path, size);
}
