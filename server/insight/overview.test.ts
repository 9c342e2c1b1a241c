import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Catalog } from "../catalog/port/catalog.ts";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createUploader, limitedTo } from "../catalog/suite/catalog.fixture.ts";
import { COMMAND_EVERYWHERE, type SeenBy } from "../domain/callers/caller.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { FileRecord } from "../domain/records.ts";
import { createFileTraffic, type FileTraffic } from "./file-traffic.ts";
import { createOverview, type Period } from "./overview.ts";
import { createStatistics } from "./statistics.ts";
import { addTraffic } from "./traffic.fixture.ts";
import { createTraffic, HOUR, type Traffic } from "./traffic.ts";

/** 15:40 UTC. */
const NOW = Date.UTC(2026, 2, 31, 15, 40);
const hoursAgo = (hours: number) => Math.floor(NOW / HOUR) * HOUR - hours * HOUR;

const folder = mkdtempSync(join(tmpdir(), "holdall-overview-"));
let catalog: Catalog;
let traffic: Traffic;
let fileTraffic: FileTraffic;
beforeAll(async () => {
  catalog = await openSqliteCatalog({ path: join(folder, "catalog.sqlite"), exclusive: false });
  const parts = { log: catalog, onError: () => {}, now: () => NOW };
  traffic = createTraffic(parts);
  fileTraffic = createFileTraffic(parts);
});
afterAll(async () => {
  await traffic.close();
  await fileTraffic.close();
  await catalog.close();
  rmSync(folder, { recursive: true });
});

const read = (period: Period, caller: SeenBy = COMMAND_EVERYWHERE) =>
  createOverview(
    {
      catalog,
      blobs: { freeSpace: async () => null },
      traffic,
      fileTraffic,
      readStatistics: createStatistics(catalog),
    },
    () => NOW,
  )(caller, period);

test("compares each period with as many hours right before it", async () => {
  const errorsByStatus = [{ status: 404, requests: 1 }];
  const entry = (hour: number, requests: number) => ({
    hour,
    requests,
    bytes: 10,
    errors: 1,
    errorsByStatus,
  });
  await addTraffic(catalog, [
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

test("adds up the errors of each day by status", async () => {
  // None of the hours of the other test.
  const day = Date.UTC(2026, 2, 20);
  const at = (hour: number, ...counts: [number, number][]) => ({
    hour: day + hour * HOUR,
    requests: 0,
    bytes: 0,
    errors: 0,
    errorsByStatus: counts.map(([status, requests]) => ({ status, requests })),
  });
  await addTraffic(catalog, [at(1, [503, 1]), at(2, [503, 2], [401, 4])]);
  const { traffic: shown } = await read("month");
  expect(shown.find(({ hour }) => hour === day)).toEqual({ ...at(0, [401, 4], [503, 3]) });
});

test("lists the files with the most requests since the day when the period begins", async () => {
  const [often, rarely] = await createUploader(catalog).add(["often", "rarely"]);
  if (often === undefined || rarely === undefined) throw new Error("Too few records.");
  const count = (day: number, { id }: FileRecord, requests: number) =>
    catalog.addCounts("file", [
      {
        period: Date.UTC(2026, 2, day),
        subject: id,
        requests,
        bytes: requests * 10,
        weight: requests,
      },
    ]);
  for (const day of [2, 24, 30]) await count(day, often, 4);
  await count(31, rarely, 5);
  const requested = async (period: Period) => {
    const { since, files } = (await read(period)).mostRequested;
    return [new Date(since).toISOString(), ...files.map((each) => [each.file.name, each.requests])];
  };
  const rare = [rarely.name, 5];
  expect(await requested("day")).toEqual(["2026-03-30T00:00:00.000Z", rare, [often.name, 4]]);
  expect(await requested("week")).toEqual(["2026-03-24T00:00:00.000Z", [often.name, 8], rare]);
  expect(await requested("month")).toEqual(["2026-03-02T00:00:00.000Z", [often.name, 12], rare]);
  expect(
    (
      await read(
        "day",
        limitedTo([(await catalog.folderByKey(COMMAND_EVERYWHERE, ROOT_KEY))?.id ?? ""]),
      )
    ).mostRequested.files,
  ).toEqual([]);
});
