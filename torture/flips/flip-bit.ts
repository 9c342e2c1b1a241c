import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../inventory.ts";
import { chance, pickAny, randomInt } from "../random.ts";

const HEADER = 32;
const FRAME_HEADER = 24;
const FRAME = FRAME_HEADER + 4096;

/** Flips a random bit of the log: of its header, of a frame's header, or of a page. */
export function flipInLog(dataPath: string): string {
  const name = "catalog.sqlite-wal";
  return flip(dataPath, name, (size) => {
    if (chance(1 / 8)) return randomInt(0, HEADER);
    const frame = HEADER + FRAME * randomInt(0, Math.floor((size - HEADER) / FRAME));
    return frame + (chance(1 / 3) ? randomInt(0, FRAME_HEADER) : randomInt(FRAME_HEADER, FRAME));
  });
}

/** Flips a random bit of the catalog's file that is not in an unused, zeroed part of a page. */
export function flipInCatalog(dataPath: string): string {
  const bytes = readFileSync(join(dataPath, "catalog.sqlite"));
  return flip(dataPath, "catalog.sqlite", (size) => {
    let at = randomInt(0, size);
    while (bytes[at] === 0) at = randomInt(0, size);
    return at;
  });
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
