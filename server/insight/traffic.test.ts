import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalog } from "../catalog/port/catalog.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { addTraffic, storedTraffic } from "./traffic.fixture.ts";
import { createTraffic, HOUR, type Traffic } from "./traffic.ts";

let folder: string;
let catalog: Catalog;
let clock = 0;
let isDown = false;
const errors: string[] = [];
const opened: Traffic[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdall-insight-"));
  catalog = await openSqliteCatalog({ path: join(folder, "catalog.sqlite"), exclusive: false });
  clock = 1000 * HOUR;
  isDown = false;
  errors.length = 0;
});
afterEach(async () => {
  for (const traffic of opened.splice(0)) await traffic.close();
  await catalog.close();
  rmSync(folder, { recursive: true });
});

function open(): Traffic {
  const traffic = createTraffic({
    log: {
      addCounts: (...counts) =>
        isDown ? Promise.reject(new Error("The disk is gone")) : catalog.addCounts(...counts),
      counts: (...query) => catalog.counts(...query),
      removeCounts: (...query) => catalog.removeCounts(...query),
    },
    onError: (message) => void errors.push(message),
    now: () => clock,
  });
  opened.push(traffic);
  return traffic;
}

const at = (hour: number, requests: number, bytes: number, ...failed: number[]) => ({
  hour: hour * HOUR,
  requests,
  bytes,
  errors: failed.length,
  errorsByStatus: [...Map.groupBy(failed, (status) => status)].map(([status, all]) => ({
    status,
    requests: all.length,
  })),
});

test("shows counts at once, added to those already written", async () => {
  const traffic = open();
  traffic.countRequest(200);
  traffic.countBytes(100);
  traffic.countRequest(404);
  traffic.countRequest(304);
  expect(await traffic.since(clock - 2 * HOUR)).toEqual([
    at(998, 0, 0),
    at(999, 0, 0),
    at(1000, 3, 100, 404),
  ]);
  await traffic.close();
  expect(await storedTraffic(catalog)).toEqual([at(1000, 3, 100, 404)]);
  traffic.countRequest(206);
  traffic.countBytes(2 ** 40);
  expect(await traffic.since(clock)).toEqual([at(1000, 4, 2 ** 40 + 100, 404)]);
  await traffic.close();
  await traffic.close();
  expect(await storedTraffic(catalog)).toEqual([at(1000, 4, 2 ** 40 + 100, 404)]);
});

test("counts each hour separately", async () => {
  const traffic = open();
  traffic.countRequest(200);
  clock += HOUR;
  await traffic.close();
  traffic.countRequest(200);
  traffic.countRequest(200);
  expect(await traffic.since(clock - HOUR)).toEqual([at(1000, 1, 0), at(1001, 2, 0)]);
});

test("keeps counts that could not be written", async () => {
  const traffic = open();
  traffic.countRequest(500);
  traffic.countBytes(7);
  traffic.countRequest(404);
  isDown = true;
  await traffic.close();
  expect(errors).toHaveLength(1);
  expect(await traffic.since(clock)).toEqual([at(1000, 2, 7, 404, 500)]);
  isDown = false;
  await traffic.close();
  expect(await storedTraffic(catalog)).toEqual([at(1000, 2, 7, 404, 500)]);
});

test("adds counts that could not be written to the hour of their requests", async () => {
  const traffic = open();
  traffic.countRequest(404);
  traffic.countBytes(7);
  isDown = true;
  clock += HOUR;
  await traffic.flush();
  traffic.countRequest(500);
  await traffic.flush();
  const expected = [at(1000, 1, 7, 404), at(1001, 1, 0, 500)];
  expect(await traffic.since(clock - HOUR)).toEqual(expected);
  isDown = false;
  await traffic.flush();
  expect(await storedTraffic(catalog)).toEqual(expected);
});

test("removes counts after 90 days", async () => {
  clock = 10_000 * HOUR;
  const oldest = 10_000 - 90 * 24;
  await addTraffic(catalog, [at(oldest - 1, 1, 1, 404), at(oldest, 2, 2, 404)]);
  await open().close();
  expect(await storedTraffic(catalog)).toEqual([at(oldest, 2, 2, 404)]);
});
