import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";

/** Fills the memory that is free with pages that the kernel can use again at once. */
export interface PageCache {
  /** To be called before each measurement that writes much. */
  fill(): void;
  close(): void;
}

/** Left free, so that nothing has to wait for memory. */
const FREE_MB = 700;
const PIECE_MB = 4;
const PIECE = new Uint8Array(PIECE_MB * 1024 ** 2);
const SPARSE_BYTES = 2 ** 42;

/**
 * A virtual machine may give free memory back to its host ("free page reporting"). Writing to it then takes ten
 * times as long at the first touch, which is most of the time of a large upload. What a sparse file occupies in
 * the page cache stays the machine's, and is reused for the next file. Does nothing elsewhere.
 */
export function createPageCache(folder: string): PageCache {
  if (!existsSync("/sys/module/page_reporting")) return { fill: () => {}, close: () => {} };
  const path = join(folder, "sparse");
  const file = openSync(path, "w+");
  ftruncateSync(file, SPARSE_BYTES);
  let position = 0;
  return {
    fill() {
      // Bounded, in case the file is on a volume whose reads occupy nothing.
      const most = megabytes("MemTotal");
      for (let read = 0; read < most && megabytes("MemFree") > FREE_MB; read += PIECE_MB) {
        readSync(file, PIECE, 0, PIECE.length, position);
        position += PIECE.length;
      }
    },
    close() {
      closeSync(file);
      rmSync(path);
    },
  };
}

function megabytes(field: string): number {
  const found = new RegExp(`^${field}: +(\\d+) kB`, "m").exec(
    readFileSync("/proc/meminfo", "latin1"),
  );
  return Number(found?.[1] ?? 0) / 1024;
}
