import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SYSTEM } from "../../domain/callers/caller.ts";
import type { Catalog } from "../port/catalog.ts";
import { allKeys, createUploader, expectFault } from "../suite/catalog.fixture.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";
import { createTestFolders } from "./test-folders.fixture.ts";
import { openThreadWriter, startWriterThread } from "./writer.ts";

const testFolders = createTestFolders();
const open: Catalog[] = [];
afterEach(async () => {
  for (const catalog of open.splice(0)) await catalog.close();
});

async function openAt(path: string): Promise<Catalog> {
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  open.push(catalog);
  return catalog;
}

/** A catalog of some hundred pages, closed. */
async function fill(): Promise<string> {
  const path = join(testFolders.folder(), "catalog.sqlite");
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const names = Array.from({ length: 2000 }, (_, index) => `file ${index}`);
  await createUploader(catalog).add(names, { folder: "a" });
  await catalog.close();
  return path;
}

test("a closed catalog is one file, for its owner only", async () => {
  const path = await fill();
  expect(existsSync(`${path}-wal`)).toBe(false);
  expect(existsSync(`${path}-shm`)).toBe(false);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("rejects a damaged file", async () => {
  const path = await fill();
  const whole = readFileSync(path);
  const noise = Buffer.alloc(3 * 4096, 0xa5);
  const damages: (() => void)[] = [
    () => writeFileSync(path, "This is a note, not a catalog, and it is long enough to be read."),
    () => writeFileSync(path, Buffer.concat([noise, whole.subarray(noise.length)])),
    () => truncateSync(path, Math.floor(whole.length / 2)),
    () => {
      const middle = Math.floor(whole.length / 8192) * 4096;
      const parts = [whole.subarray(0, middle), noise, whole.subarray(middle + noise.length)];
      writeFileSync(path, Buffer.concat(parts));
    },
  ];
  for (const damage of damages) {
    writeFileSync(path, whole);
    damage();
    await expect(openSqliteCatalog({ path, exclusive: true })).rejects.toThrow(/is damaged \(.*\)/);
  }
  writeFileSync(path, whole);
  expect((await allKeys(await openAt(path))).length).toBe(2000);
});

test("names the file when one bit of its schema has changed", async () => {
  const path = await fill();
  const whole = readFileSync(path);
  // The first changes the name of a column, the second that of a table.
  for (const [statement, name] of [
    ['CREATE TABLE "files"', "visibility"],
    ['CREATE TABLE "uploads"', "uploads"],
  ] as const) {
    const bytes = Buffer.from(whole);
    // Free pages may have older copies.
    for (let at = bytes.indexOf(statement); at >= 0; at = bytes.indexOf(statement, at + 1)) {
      const letter = bytes.indexOf(name, at);
      bytes.writeUInt8(bytes.readUInt8(letter) ^ 1, letter);
    }
    writeFileSync(path, bytes);
    const use = async () => {
      const catalog = await openAt(path);
      await createUploader(catalog).add(["new"], { folder: "a" });
    };
    await expect(use()).rejects.toThrow(`The catalog ${path} is damaged (`);
    for (const catalog of open.splice(0)) await catalog.close();
  }
});

test("rejects a file written by a newer version and leaves it unchanged", async () => {
  const path = await fill();
  const database = new Database(path);
  database.run("INSERT INTO migrations VALUES (1000, 0)");
  database.close();
  for (const exclusive of [true, false]) {
    await expect(openSqliteCatalog({ path, exclusive })).rejects.toThrow("newer");
  }
});

test("a catalog that another process keeps busy is unavailable after a bounded wait", async () => {
  const path = await fill();
  const catalog = await openAt(path);
  const other = new Database(path);
  other.run("BEGIN IMMEDIATE");
  await expectFault(catalog.putSetting("a", "b"), "unavailable", "busy");
  expect((await allKeys(catalog)).length).toBe(2000);
  other.run("ROLLBACK");
  other.close();
  await catalog.putSetting("a", "b");
});

test("changes fail at once and onFatal is called when the writer's thread breaks", async () => {
  const path = await fill();
  const errors: Error[] = [];
  const thread = startWriterThread();
  const writer = await openThreadWriter(path, (error) => errors.push(error), thread);
  await writer.change("putSettings", [{ a: "b" }], SYSTEM);
  const underWay = writer.change("leaseBlock", ["me"], SYSTEM);
  thread.terminate();
  await expectFault(underWay, "unavailable", "broken down");
  await expectFault(writer.change("leaseBlock", ["me"], SYSTEM), "unavailable");
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("broken down")]);
  await writer.close();
});

test("closing resolves when the thread breaks meanwhile", async () => {
  const path = await fill();
  const errors: Error[] = [];
  const thread = startWriterThread();
  const writer = await openThreadWriter(path, (error) => errors.push(error), thread);
  const underWay = writer.change("leaseBlock", ["me"], SYSTEM);
  const closings = [writer.close(), writer.close()];
  thread.terminate();
  await Promise.all(closings);
  await expectFault(underWay, "unavailable", "broken down");
  await expectFault(writer.change("leaseBlock", ["me"], SYSTEM), "unavailable", "closed");
  // The process is about to end anyway.
  expect(errors).toEqual([]);
  await writer.close();
});

test("a damaged key makes no live folder look removed", async () => {
  const path = await fill();
  const database = new Database(path);
  // One bit makes this of an "A".
  database.run("UPDATE folders SET key = char(1) || substr(key, 2) WHERE name = 'a'");
  database.close();
  const catalog = await openAt(path);
  expect(await catalog.emptyRemovedFolders(500)).toBe(false);
  expect(await catalog.condemnedBlobs(1)).toEqual([]);
});
