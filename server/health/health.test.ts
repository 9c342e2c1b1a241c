import { afterEach, beforeEach, expect, test } from "bun:test";
import { type FilesFixture, openFilesFixture } from "../files/files.fixture.ts";
import { createStatistics } from "../insight/statistics.ts";
import { createHealth } from "./health.ts";

let fixture: FilesFixture;
beforeEach(async () => {
  fixture = await openFilesFixture();
});
afterEach(() => fixture.end());

test("reads nothing else from a volume that does not respond", async () => {
  const { catalog, blobs } = fixture;
  const read: string[] = [];
  const health = createHealth({
    catalog,
    blobs,
    readStatistics: createStatistics(catalog),
    dataPath: null,
    kinds: { catalog: "sqlite", blobs: "disk", redis: false },
    limitStoreState: async () => "connected",
    workers: async () => ({ configured: 1, running: 1 }),
    jobs: async () => [],
    volume: () => Promise.reject(new Error("The volume does not respond.")),
    quarantine: async () => {
      read.push("quarantine");
      return [];
    },
    lostRecords: () => {
      read.push("lost records");
      return undefined;
    },
    schedule: { every: null, rate: 1 },
    startScrub: async () => {},
  });
  const report = await health.read();
  expect(report).toMatchObject({ volume: null, quarantine: null, lostRecords: undefined });
  expect(read).toEqual([]);
});
