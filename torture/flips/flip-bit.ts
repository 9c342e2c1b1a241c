import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../inventory.ts";
import { chance, pickAny, randomInt } from "../random.ts";

const HEADER = 32;
const FRAME_HEADER = 24;
const PAGE = 4096;
const FRAME = FRAME_HEADER + PAGE;

/** Flips a random bit of the log: of its header, of a frame's header, or of a page. */
export function flipInLog(dataPath: string): string {
  const name = "catalog.sqlite-wal";
  return flip(dataPath, name, (size) => {
    if (chance(1 / 8)) return randomInt(0, HEADER);
    const frame = HEADER + FRAME * randomInt(0, Math.floor((size - HEADER) / FRAME));
    return frame + (chance(1 / 3) ? randomInt(0, FRAME_HEADER) : randomInt(FRAME_HEADER, FRAME));
  });
}

/**
 * Flips a random bit of the catalog's file that is not in an unused, zeroed part of a page. Every
 * second one is in a page that decides which blobs are in use.
 */
export function flipInCatalog(dataPath: string): string {
  const path = join(dataPath, "catalog.sqlite");
  const bytes = readFileSync(path);
  const pages = chance(1 / 2) ? rootPages(path) : [];
  const choose = (size: number): number => {
    const page = pickAny(pages);
    return page === undefined ? randomInt(0, size) : (page - 1) * PAGE + randomInt(0, PAGE);
  };
  return flip(dataPath, "catalog.sqlite", (size) => {
    let at = choose(size);
    while (bytes[at] === 0) at = choose(size);
    return at;
  });
}

/** The first pages of the tables and indexes that the sweep and the reaper read. */
function rootPages(path: string): number[] {
  const catalog = new Database(path, { readonly: true });
  try {
    return catalog
      .query<{ rootpage: number }, []>(
        "SELECT rootpage FROM sqlite_schema WHERE tbl_name IN ('files', 'folders', 'blob_leases', 'condemned')",
      )
      .all()
      .map(({ rootpage }) => rootpage);
  } finally {
    catalog.close();
  }
}

/** Flips a random bit of a random blob. */
export function flipInBlob(dataPath: string): { what: string; from: string; to: string } {
  const blobs = readdirSync(join(dataPath, "blobs"), { recursive: true, encoding: "utf8" });
  const name = `blobs/${pickAny(blobs.filter((each) => each.includes("/"))) ?? ""}`;
  const from = digestOf(readFileSync(join(dataPath, name)));
  const what = flip(dataPath, name, (size) => randomInt(0, size));
  return { what, from, to: digestOf(readFileSync(join(dataPath, name))) };
}

/** Returns what is needed to repeat it. */
function flip(dataPath: string, name: string, choose: (size: number) => number): string {
  const path = join(dataPath, name);
  const bytes = readFileSync(path);
  const [at, bit] = [choose(bytes.length), randomInt(0, 8)];
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(path, bytes);
  return `bit ${bit} of byte ${at} of ${name}`;
}
