import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { configureForWriting } from "./configure.ts";
import { openConnection } from "./connection.ts";
import { findLogDamage } from "./find-log-damage.ts";
import { truncateLog } from "./truncate-log.ts";

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

test.each([
  ["what a large transaction left behind looks like damage", false],
  ["an emptied log has nothing left behind", true],
])("after a rollback, %s", async (_title, isTruncated) => {
  const source = join(folder, `rollback-${isTruncated}.sqlite`);
  const connection = openConnection(source);
  await configureForWriting(connection);
  connection.run("CREATE TABLE t (text TEXT)");
  connection.run("BEGIN");
  const insert = connection.prepare("INSERT INTO t VALUES (?)");
  // Twice as much as the connection's cache, so half of it is written to the log at once.
  for (let n = 0; n < 2000; n += 1) insert.run(["x".repeat(4096)]);
  connection.run("ROLLBACK");
  if (isTruncated) truncateLog(connection);
  connection.run("INSERT INTO t VALUES ('small')");
  const copy = join(folder, `rollback-${isTruncated}-copy.sqlite`);
  for (const end of ["", "-wal"]) copyFileSync(`${source}${end}`, `${copy}${end}`);
  connection.close();
  expect(findLogDamage(copy) === undefined).toBe(isTruncated);
});
