import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { configureForWriting } from "./configure.ts";
import { openConnection } from "./connection.ts";
import { findLogDamage } from "./find-log-damage.ts";

const FRAME = 24 + 4096;
const folder = mkdtempSync(join(tmpdir(), "holdall-log-"));
const path = join(folder, "catalog.sqlite");

interface Files {
  readonly file: Buffer;
  readonly log: Buffer;
  readonly rows: number;
}

/** A catalog and its log, as a killed process leaves them. */
function leave(rows: number): Files {
  const source = join(folder, `${rows}.sqlite`);
  const database = new Database(source);
  database.run("PRAGMA journal_mode = WAL");
  database.run("CREATE TABLE t (n INTEGER, text TEXT)");
  for (let n = 0; n < rows; n += 1)
    database.run("INSERT INTO t VALUES (?, ?)", [n, "x".repeat(99)]);
  const files = { file: readFileSync(source), log: readFileSync(`${source}-wal`), rows };
  database.close();
  return files;
}

function put({ file }: Files, log: Uint8Array): void {
  rmSync(`${path}-shm`, { force: true });
  writeFileSync(path, file);
  writeFileSync(`${path}-wal`, log);
}

/** The rows that SQLite finds; -1: it finds damage. */
function rowsIn(): number {
  const copy = `${path}-copy`;
  for (const end of ["", "-wal"]) copyFileSync(`${path}${end}`, `${copy}${end}`);
  rmSync(`${copy}-shm`, { force: true });
  const database = new Database(copy);
  try {
    return database.query<{ n: number }, []>("SELECT count(*) AS n FROM t").get()?.n ?? -1;
  } catch {
    return -1;
  } finally {
    database.close();
  }
}

let short: Files;
/** Long enough to be written from its start again: most of its frames are from before. */
let reset: Files;
beforeAll(() => {
  short = leave(30);
  reset = leave(1020);
});
afterAll(() => rmSync(folder, { recursive: true }));

function flipped(log: Buffer, at: number, bit: number): Buffer {
  const bytes = Buffer.from(log);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  return bytes;
}

const anyBit = fc.nat(7);
/** In the header, in the header of a frame, or in a page. */
const anyPlace = (log: Buffer) =>
  fc.oneof(
    fc.nat(31),
    fc
      .tuple(fc.nat(Math.floor((log.length - 32) / FRAME) - 1), fc.nat(23))
      .map(([frame, at]) => 32 + frame * FRAME + at),
    fc.nat(log.length - 1),
  );

describe("finds damage", () => {
  test("in every log that lost a row by one flipped bit, and nothing in whole logs", () => {
    for (const files of [short, reset]) {
      put(files, files.log);
      expect([findLogDamage(path), rowsIn()]).toEqual([undefined, files.rows]);
      fc.assert(
        fc.property(anyPlace(files.log), anyBit, (at, bit) => {
          put(files, flipped(files.log, at, bit));
          const found = findLogDamage(path);
          expect(found === undefined).toBe(rowsIn() === files.rows);
        }),
        { numRuns: 150 },
      );
    }
  });

  test("in the last frame, whatever part of it was changed", () => {
    const last = short.log.length - FRAME;
    for (const at of [0, 5, 8, 13, 16, 23, 24, FRAME - 1]) {
      put(short, flipped(short.log, last + at, 3));
      expect(findLogDamage(path)).toContain("is not valid");
    }
  });

  test("in the header of the log", () => {
    put(short, flipped(short.log, 20, 0));
    expect(findLogDamage(path)).toContain("its header is damaged");
    put(short, Buffer.concat([Buffer.alloc(32), short.log.subarray(32)]));
    expect(findLogDamage(path)).toContain("its header is damaged");
  });
});

describe("finds no damage", () => {
  test("in a log that ends anywhere", () => {
    fc.assert(
      fc.property(fc.nat(short.log.length), (length) => {
        put(short, short.log.subarray(0, length));
        expect(findLogDamage(path)).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });

  test("without a log, or in one that was never written", () => {
    put(short, Buffer.alloc(0));
    expect(findLogDamage(path)).toBeUndefined();
    put(short, Buffer.alloc(3 * FRAME));
    expect(findLogDamage(path)).toBeUndefined();
    rmSync(`${path}-wal`);
    expect(findLogDamage(path)).toBeUndefined();
  });

  test("in zeros behind the last frame", () => {
    put(short, Buffer.concat([short.log, Buffer.alloc(2 * FRAME)]));
    expect(findLogDamage(path)).toBeUndefined();
  });
});

test("finds no damage in what a large transaction left behind that was rolled back", async () => {
  const source = join(folder, "rollback.sqlite");
  const connection = openConnection(source);
  await configureForWriting(connection);
  connection.run("CREATE TABLE t (text TEXT)");
  connection.run("BEGIN");
  const insert = connection.prepare("INSERT INTO t VALUES (?)");
  // Twice as much as the connection's cache, so half of it is written to the log at once.
  for (let n = 0; n < 2000; n += 1) insert.run(["x".repeat(4096)]);
  connection.run("ROLLBACK");
  connection.run("INSERT INTO t VALUES ('small')");
  const copy = join(folder, "rollback-copy.sqlite");
  for (const end of ["", "-wal"]) copyFileSync(`${source}${end}`, `${copy}${end}`);
  connection.close();
  expect(readFileSync(`${copy}-wal`).length).toBeGreaterThan(500 * FRAME);
  expect(findLogDamage(copy)).toBeUndefined();
});

describe("a last transaction of 13 frames, of which a power cut left only some blocks", () => {
  const BLOCK = 4096;
  /** The same log before that transaction: what its blocks hold if they were not written. */
  function before(log: Buffer, first: number, overOlder: boolean): Buffer {
    const older = Buffer.from(log);
    const start = 32 + first * FRAME;
    if (!overOlder) return older.fill(0, start);
    for (let at = start; at < older.length; at += FRAME) {
      older.fill(0x5a, at + 24, at + FRAME);
      older.writeUInt32BE(0x01020304, at + 8);
    }
    return older;
  }
  /** The log and the number of its frames before its last transaction. */
  function leaveLarge(): { files: Files; first: number } {
    const source = join(mkdtempSync(join(folder, "large-")), "catalog.sqlite");
    const database = new Database(source);
    database.run("PRAGMA journal_mode = WAL");
    database.run("CREATE TABLE t (n INTEGER, text TEXT)");
    database.run("INSERT INTO t VALUES (0, 'acknowledged')");
    const first = (readFileSync(`${source}-wal`).length - 32) / FRAME;
    const text = "x".repeat(4000);
    database.run("INSERT INTO t SELECT value, ? FROM json_each('[1,2,3,4,5,6,7,8,9,10,11]')", [
      text,
    ]);
    const files = { file: readFileSync(source), log: readFileSync(`${source}-wal`), rows: 12 };
    database.close();
    return { files, first };
  }

  test.each([
    ["zeros", false],
    ["older frames", true],
  ])(
    "over %s: no damage, unless only the end of its last frame is missing",
    (_title, overOlder) => {
      const { files, first } = leaveLarge();
      const { log } = files;
      expect((log.length - 32) / FRAME - first).toBe(13);
      const older = before(log, first, overOlder);
      const blocks = Math.ceil(log.length / BLOCK);
      const firstBlock = Math.ceil((32 + first * FRAME) / BLOCK);
      const lost = fc.uniqueArray(fc.integer({ min: firstBlock, max: blocks - 1 }), {
        minLength: 1,
      });
      fc.assert(
        fc.property(lost, (missing) => {
          const left = Buffer.from(log);
          for (const block of missing)
            older.copy(left, block * BLOCK, block * BLOCK, (block + 1) * BLOCK);
          put(files, left);
          expect(rowsIn()).toBe(1);
          const isAmbiguous = overOlder && missing.every((block) => block === blocks - 1);
          expect(findLogDamage(path) !== undefined).toBe(isAmbiguous);
        }),
        { numRuns: 300, examples: [[[blocks - 1]], [[blocks - 2]], [[firstBlock]]] },
      );
    },
  );

  test("is damage when a later transaction follows", () => {
    const { files, first } = leaveLarge();
    // The frames of `short` are one transaction each.
    const left = Buffer.from(short.log).fill(0, 32 + 5 * FRAME, 32 + 6 * FRAME);
    put(short, left);
    expect(findLogDamage(path)).toContain("frame 7 of");
    put(files, flipped(files.log, 32 + first * FRAME + 500, 2));
    expect(findLogDamage(path)).toContain("it and 12 more");
  });
});

test("finds the flipped bit that was the mark of the last commit", () => {
  const last = short.log.length - FRAME;
  const pages = short.log.readUInt32BE(last + 4);
  expect(Math.log2(pages) % 1).toBe(0);
  const left = Buffer.from(short.log);
  left.writeUInt32BE(0, last + 4);
  put(short, left);
  expect(findLogDamage(path)).toContain("is not valid");
});
