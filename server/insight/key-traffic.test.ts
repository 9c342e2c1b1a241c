import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalog } from "../catalog/port/catalog.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createKeyTraffic, type KeyTraffic } from "./key-traffic.ts";

const DAY = 24 * 3_600_000;

let folder: string;
let catalog: Catalog;
let traffic: KeyTraffic;
let clock = 0;
let isDown = false;
const errors: string[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdall-insight-"));
  catalog = await openSqliteCatalog({ path: join(folder, "catalog.sqlite"), exclusive: false });
  clock = 1000 * DAY;
  isDown = false;
  errors.length = 0;
  traffic = createKeyTraffic({
    log: {
      addCounts: (...counts) =>
        isDown ? Promise.reject(new Error("The disk is gone")) : catalog.addCounts(...counts),
      totals: (...query) => catalog.totals(...query),
      removeCounts: (...query) => catalog.removeCounts(...query),
    },
    onError: (message) => void errors.push(message),
    now: () => clock,
  });
});
afterEach(async () => {
  await traffic.close();
  await catalog.close();
  rmSync(folder, { recursive: true });
});

const totals = async () =>
  (await traffic.totals()).keys.map(({ keyId, requests, bytes, errors: failed }) =>
    [keyId, requests, bytes, failed].join(" "),
  );

test("shows counts at once, and adds up those of several days", async () => {
  traffic.countRequest("a", 200);
  traffic.countBytes("a", 100);
  traffic.countRequest("b", 404);
  expect((await totals()).sort()).toEqual(["a 1 100 0", "b 1 0 1"]);
  clock += DAY;
  await traffic.flush();
  traffic.countRequest("a", 500);
  expect((await totals()).sort()).toEqual(["a 2 100 1", "b 1 0 1"]);
});

test("covers 30 days, and removes older counts", async () => {
  traffic.countRequest("a", 200);
  await traffic.flush();
  clock += 29 * DAY;
  expect(await totals()).toEqual(["a 1 0 0"]);
  clock += DAY;
  expect(await totals()).toEqual([]);
  await traffic.flush();
  expect(await catalog.totals("key", 0)).toEqual([]);
});

test("keeps counts that could not be written, of 10,000 keys at most", async () => {
  for (let key = 0; key < 10_005; key += 1) traffic.countRequest(`key ${key}`, 200);
  isDown = true;
  await traffic.flush();
  expect(errors).toHaveLength(1);
  traffic.countRequest("key 1", 200);
  isDown = false;
  const written = await totals();
  expect(written).toHaveLength(10_000);
  expect(written).toContain("key 1 2 0 0");
});
