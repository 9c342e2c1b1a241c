import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalog } from "../catalog/port/catalog.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createOverview, type Period } from "./overview.ts";
import { createStatistics } from "./statistics.ts";
import { createTraffic, HOUR, type Traffic } from "./traffic.ts";

/** 15:40 UTC. */
const NOW = Date.UTC(2026, 2, 31, 15, 40);
const hoursAgo = (hours: number) => Math.floor(NOW / HOUR) * HOUR - hours * HOUR;

const folder = mkdtempSync(join(tmpdir(), "holdall-overview-"));
let catalog: Catalog;
let traffic: Traffic;
beforeAll(async () => {
  catalog = await openSqliteCatalog({ path: join(folder, "catalog.sqlite"), exclusive: false });
  traffic = createTraffic({ log: catalog, onError: () => {}, now: () => NOW });
});
afterAll(async () => {
  await traffic.close();
  await catalog.close();
  rmSync(folder, { recursive: true });
});

const read = (period: Period) =>
  createOverview(
    {
      catalog,
      blobs: { freeSpace: async () => null },
      traffic,
      readStatistics: createStatistics(catalog),
    },
    () => NOW,
  )(period, []);

test("compares each period with as many hours right before it", async () => {
  const entry = (hour: number, requests: number) => ({ hour, requests, bytes: 10, errors: 1 });
  await catalog.addTraffic([
    ...[entry(hoursAgo(0), 1), entry(hoursAgo(23), 2)],
    ...[entry(hoursAgo(24), 4), entry(hoursAgo(47), 8), entry(hoursAgo(48), 16)],
    ...[entry(hoursAgo(167), 32), entry(hoursAgo(168), 64), entry(hoursAgo(335), 128)],
    // A month begins at midnight, 29 days ago.
    ...[entry(hoursAgo(29 * 24 + 15), 256), entry(hoursAgo(29 * 24 + 16), 512)],
    ...[entry(hoursAgo(2 * (29 * 24 + 16) - 1), 1_024), entry(hoursAgo(60 * 24), 2_048)],
  ]);
  const totals = async (period: Period) => {
    const { traffic: shown, previous } = await read(period);
    return [shown.length, shown.reduce((sum, { requests }) => sum + requests, 0), previous];
  };
  expect(await totals("day")).toEqual([24, 3, { requests: 12, bytes: 20, errors: 2 }]);
  expect(await totals("week")).toEqual([168, 63, { requests: 192, bytes: 20, errors: 2 }]);
  expect(await totals("month")).toEqual([30, 511, { requests: 1_536, bytes: 20, errors: 2 }]);
});
