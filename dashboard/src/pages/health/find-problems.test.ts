import { expect, test } from "bun:test";
import type { HealthDetails } from "../../../../sdk/src/holdall.ts";
import { findProblems } from "./find-problems.ts";

const now = new Date("2026-03-10T12:00:00Z");
const GB = 1e9;

const fine: HealthDetails = {
  version: "1.0.0",
  startedAt: "2026-03-01 08:00:00",
  workers: { configured: 2, running: 2 },
  jobs: [
    { name: "old activity", succeededAt: "2026-03-10 11:59:00", lastError: null, failures: 0 },
  ],
  parts: [
    { part: "catalog", kind: "sqlite", problem: null },
    { part: "blobs", kind: "disk", problem: null },
  ],
  storage: {
    files: 12,
    bytes: 3 * GB,
    reserved: GB,
    trash: { files: 0, bytes: 0 },
    versions: { count: 0, bytes: 0 },
    volume: { free: 50 * GB, size: 100 * GB },
  },
  catalog: { bytes: 100_000 },
  uploads: { open: 0 },
  scrub: {
    state: "finished",
    every: 2_592_000,
    rate: GB,
    files: 12,
    bytes: 3 * GB,
    found: 0,
    earlier: 0,
    startedAt: "2026-03-05 08:00:00",
    finishedAt: "2026-03-05 08:10:00",
    findings: [],
  },
  verification: null,
  backup: {
    finishedAt: "2026-03-09 08:00:00",
    asOf: "2026-03-09 07:50:00",
    path: "/backups",
    files: 12,
    bytes: 3 * GB,
    damaged: 0,
  },
  quarantine: { count: 0, latest: null },
  lostRecords: null,
  dataPath: null,
};

const problems = (changes: Partial<HealthDetails>) =>
  findProblems({ ...fine, ...changes }, now).map(({ tone, text }) => `${tone}: ${text}`);

test("finds nothing wrong with a healthy instance", () => {
  expect(problems({})).toEqual([]);
});

test("puts what affects files before what may do so one day", () => {
  const scrub = { ...fine.scrub, found: 2 };
  expect(problems({ backup: null, scrub, workers: { configured: 2, running: 1 } })).toEqual([
    "bad: 2 files are damaged or missing. Restore them from a backup, then check again.",
    "warn: 1 worker process is not running. The log says why.",
    "warn: There is no backup yet.",
  ]);
});

test("names a background job that keeps failing, not one that failed once", () => {
  const failed = { name: "old activity", succeededAt: null, lastError: "The disk is full." };
  expect(problems({ jobs: [{ ...failed, failures: 1 }] })).toEqual([]);
  expect(problems({ jobs: [{ ...failed, failures: 2 }] })).toEqual([
    "warn: The background job “old activity” keeps failing: The disk is full.",
  ]);
});

test("expects a backup once there are files, unless PostgreSQL's tools make it", () => {
  const backup = null;
  expect(problems({ backup, storage: { ...fine.storage, files: 0 } })).toEqual([]);
  const parts = [{ part: "catalog", kind: "postgres", problem: null } as const];
  expect(problems({ backup, parts })).toEqual([]);
  const old = fine.backup && { ...fine.backup, finishedAt: "2026-02-20 08:00:00" };
  expect(problems({ backup: old })).toEqual(["warn: The last backup was made 18 days ago."]);
});

test("does not forget what the previous check found, until it is checked again", () => {
  const rechecking = { ...fine.scrub, state: "running", finishedAt: null, earlier: 2 } as const;
  expect(problems({ scrub: rechecking })).toEqual([
    "bad: The previous check found 2 damaged or missing files; they are being checked again.",
  ]);
  expect(problems({ scrub: { ...rechecking, state: "paused", earlier: 1 } })).toEqual([
    "bad: The previous check found 1 damaged or missing file; it is not checked again yet.",
  ]);
});

test("says that a backup is incomplete", () => {
  const backup = fine.backup && { ...fine.backup, damaged: 3 };
  expect(problems({ backup })).toEqual(["bad: The last backup left out 3 damaged files."]);
});

test("says nothing about a quarantine that cannot be read", () => {
  const storage = { ...fine.storage, volume: null };
  expect(problems({ storage, quarantine: null })).toEqual([
    "bad: The volume of the data folder does not respond.",
  ]);
});

test("says when space runs out", () => {
  const free = (gigabytes: number) =>
    problems({
      storage: { ...fine.storage, volume: { free: gigabytes * GB, size: 100 * GB } },
    });
  expect(free(10)).toEqual([]);
  expect(free(9)).toEqual(["warn: Only 9.0 GB are free on the volume."]);
  expect(free(1)).toEqual([expect.stringContaining("uploads are refused")]);
});
