import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomInt } from "../random.ts";

const BLOCK_SIZE = 256;

/** What was done to a data folder behind its server's back. */
export interface Damage {
  /** Ids of files with one bit changed, and the byte at which. */
  readonly flipped: ReadonlyMap<string, { readonly path: string; readonly at: number }>;
  /** Ids of files whose bytes were removed. */
  readonly missing: ReadonlySet<string>;
  /** Places of what belongs to nobody, and what it says. */
  readonly foreign: ReadonlyMap<string, string>;
}

/** Files that lie in blocks which no upload writes into any more, with where their bytes are. */
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

/** Changes the bit, or changes it back. */
export function toggleBit({ path, at }: { readonly path: string; readonly at: number }): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
  writeFileSync(path, bytes);
}

export const deleteBlob = (dataPath: string, place: string): void =>
  rmSync(inStore(dataPath, place));

/**
 * Puts `count` things of every kind into the store; `free` are places in the blocks of files where
 * a file was deleted. Returns what each says by its place.
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
    // A file where a block's folder would be.
    () => newBlock(),
  ];
  const put = new Map<string, string>();
  for (let n = 0; n < count; n += 1) {
    const place = kinds[n % kinds.length]?.(n) ?? `strange ${n}`;
    const text = `nobody's ${n}`;
    mkdirSync(dirname(inStore(dataPath, place)), { recursive: true });
    writeFileSync(inStore(dataPath, place), text, { flag: "wx" });
    put.set(place, text);
  }
  return put;
}

const newBlock = (): string => hex(randomInt(0, 2 ** 44), 11);
