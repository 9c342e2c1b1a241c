import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalog } from "../catalog/port/catalog.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createUploader } from "../catalog/suite/catalog.fixture.ts";
import type { FileRecord } from "../domain/records.ts";
import { createFileTraffic, type FileTraffic } from "./file-traffic.ts";

const DAY = 24 * 3_600_000;

let folder: string;
let catalog: Catalog;
let file: FileRecord;
let clock = 0;
let isDown = false;
const errors: string[] = [];
const opened: FileTraffic[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdall-file-traffic-"));
  catalog = await openSqliteCatalog({ path: join(folder, "catalog.sqlite"), exclusive: false });
  file = await createUploader(catalog).addOne("file");
  clock = 1000 * DAY;
  isDown = false;
  errors.length = 0;
});
afterEach(async () => {
  for (const traffic of opened.splice(0)) await traffic.close();
  await catalog.close();
  rmSync(folder, { recursive: true });
});

function open(flushPeers?: () => Promise<void>): FileTraffic {
  const traffic = createFileTraffic({
    log: {
      addCounts: (...counts) =>
        isDown ? Promise.reject(new Error("The disk is gone")) : catalog.addCounts(...counts),
      requestedFiles: (...query) => catalog.requestedFiles(...query),
      removeCounts: (...query) => catalog.removeCounts(...query),
    },
    onError: (message) => void errors.push(message),
    now: () => clock,
    ...(flushPeers && { flushPeers }),
  });
  opened.push(traffic);
  return traffic;
}

const counts = async (traffic: FileTraffic, since: number) =>
  (await traffic.mostRequested(since, 10)).map(({ requests, bytes }) => [requests, bytes]);

test("shows counts at once, by day, added to those of other workers", async () => {
  const other = open();
  const traffic = open(other.flush);
  traffic.count(file.id, 100);
  other.count(file.id, 0);
  expect(await counts(traffic, clock)).toEqual([[2, 100]]);
  clock += DAY;
  // Counted before, so it belongs to the day before.
  other.count(file.id, 0);
  await other.flush();
  traffic.count(file.id, 0);
  await traffic.flush();
  traffic.count(file.id, 0);
  expect(await counts(traffic, clock)).toEqual([[1, 0]]);
  expect(await counts(traffic, clock - DAY)).toEqual([[5, 100]]);
});

test("keeps 30 days", async () => {
  const traffic = open();
  traffic.count(file.id, 0);
  await traffic.flush();
  clock += 29 * DAY;
  expect(await counts(traffic, 0)).toEqual([[1, 0]]);
  clock += DAY;
  await traffic.flush();
  expect(await counts(traffic, 0)).toEqual([]);
});

test("keeps counts that could not be written", async () => {
  const traffic = open();
  traffic.count(file.id, 7);
  isDown = true;
  await traffic.flush();
  expect(errors).toHaveLength(1);
  traffic.count(file.id, 0);
  isDown = false;
  expect(await counts(traffic, 0)).toEqual([[2, 7]]);
});

test("adds counts that could not be written to the day of their requests", async () => {
  const traffic = open();
  traffic.count(file.id, 7);
  isDown = true;
  clock += DAY;
  await traffic.flush();
  traffic.count(file.id, 1);
  await traffic.flush();
  isDown = false;
  expect(await counts(traffic, clock)).toEqual([[1, 1]]);
  expect(await counts(traffic, clock - DAY)).toEqual([[2, 8]]);
});

test("finds a frequent file among very many others", async () => {
  const traffic = open();
  for (let request = 0; request < 20_000; request += 1) {
    traffic.count(request % 20 === 0 ? file.id : `other ${request}`, 0);
    if (request % 5000 === 0) await traffic.flush();
  }
  const [[requests = 0] = []] = await counts(traffic, 0);
  expect(requests).toBeLessThanOrEqual(1000);
  // See MAX_FILES_PER_DAY.
  expect(requests).toBeGreaterThanOrEqual(1000 - 20_000 / 251);
});
