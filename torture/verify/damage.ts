import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomInt } from "../random.ts";

const BLOCK_SIZE = 256;

/** Damage inflicted on a data folder behind its server's back. */
export interface Damage {
  /** Files with one flipped bit, by id, with the offset of the byte. */
  readonly flipped: ReadonlyMap<string, { readonly path: string; readonly at: number }>;
  /** Ids of files whose blob was removed. */
  readonly missing: ReadonlySet<string>;
  /** Foreign files by place, with their text. */
  readonly foreign: ReadonlyMap<string, string>;
}

/** Files in blocks without a lease, with the place of their blob. */
export function filesOutsideLeases(dataPath: string): { id: string; place: string }[] {
  const catalog = new Database(join(dataPath, "catalog.sqlite"), { readwrite: true });
  try {
    catalog.run("PRAGMA busy_timeout = 5000");
    catalog.run("PRAGMA query_only = ON");
    return catalog
      .query<{ id: string; blobId: number }, []>(
        `SELECT id, blob_id AS blobId FROM files
         WHERE size > 0 AND blob_id / ${BLOCK_SIZE} NOT IN (SELECT block FROM blob_leases)
         ORDER BY blob_id`,
      )
      .all()
      .map(({ id, blobId }) => ({ id, place: placeOf(blobId) }));
  } finally {
    catalog.close();
  }
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, "0");
const placeOf = (blobId: number): string =>
  `${hex(Math.floor(blobId / BLOCK_SIZE), 11)}/${hex(blobId % BLOCK_SIZE, 2)}`;

const inStore = (dataPath: string, place: string): string => join(dataPath, "blobs", place);

export function flip(dataPath: string, place: string): { path: string; at: number } {
  const path = inStore(dataPath, place);
  const at = randomInt(0, readFileSync(path).length);
  toggleBit({ path, at });
  return { path, at };
}

/** Flips the bit, or flips it back. */
export function toggleBit({ path, at }: { readonly path: string; readonly at: number }): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
  writeFileSync(path, bytes);
}

export const deleteBlob = (dataPath: string, place: string): void =>
  rmSync(inStore(dataPath, place));

/**
 * Adds `count` foreign files of every kind to the store. `free` are the places of deleted blobs in
 * existing blocks. Returns the text of each file by its place.
 */
export function addForeignFiles(
  dataPath: string,
  count: number,
  free: readonly string[],
): Map<string, string> {
  const blocks = free.map(dirname);
  const kinds: ((n: number) => string)[] = [
    (n) => free[n] ?? `${newBlock()}/00`,
    () => `${newBlock()}/${hex(randomInt(0, BLOCK_SIZE), 2)}`,
    (n) => `strange ${n}.txt`,
    (n) => `${blocks[n % blocks.length] ?? newBlock()}/0a.${n}.tmp`,
    (n) => `\u001b[2J${n}\nü`,
    // A file in place of a block's folder.
    () => newBlock(),
  ];
  const put = new Map<string, string>();
  for (let n = 0; n < count; n += 1) {
    const place = kinds[n % kinds.length]?.(n) ?? `strange ${n}`;
    const text = `foreign ${n}`;
    mkdirSync(dirname(inStore(dataPath, place)), { recursive: true });
    writeFileSync(inStore(dataPath, place), text, { flag: "wx" });
    put.set(place, text);
  }
  return put;
}

const newBlock = (): string => hex(randomInt(0, 2 ** 44), 11);
