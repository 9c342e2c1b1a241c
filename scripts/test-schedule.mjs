import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

/** Seconds that each file took in the last run here. */
const durationsFile = join(root, "node_modules", ".cache", "test-seconds.json");
/** Seconds of a file that has not run here, for those that take longest. */
const LONGEST = Object.fromEntries(
  [
    ...["e2e/accessibility", "server/catalog/postgres/postgres", "test/s3-faults"],
    ...["server/catalog/sqlite/sqlite", "e2e/uploads", "e2e/files", "test/migrate", "e2e/preview"],
    ...["server/catalog/postgres/frozen-server", "e2e/active-files", "e2e/activity"],
    ...["test/frozen-dependencies", "test/activity", "test/instances", "e2e/settings", "test/s3"],
    ...["test/cli", "server/blobs/disk/disk", "test/startup", "test/export-import"],
  ].map((name) => [`${name}.test.ts`, 20]),
);
/**
 * These run at the end, one at a time: they test a promise that is a time, such as how long the
 * server may take to answer while a dependency is frozen.
 */
const ALONE = new Set([
  "server/catalog/postgres/frozen-in-time.test.ts",
  "test/frozen-in-time.test.ts",
  "test/redis-loss.test.ts",
  "test/s3-silence.test.ts",
]);

/** The files that may run side by side, the longest first, and those that must run alone. */
export function scheduleTests(files) {
  const durations = readDurations();
  const seconds = (file) => durations[file] ?? LONGEST[file] ?? 1;
  const sorted = files.toSorted((a, b) => seconds(b) - seconds(a));
  return {
    together: sorted.filter((file) => !ALONE.has(file)),
    alone: sorted.filter((file) => ALONE.has(file)),
  };
}

/** Remembers the seconds `[file, seconds]` of a run for the next one. */
export function rememberDurations(durations) {
  mkdirSync(join(durationsFile, ".."), { recursive: true });
  const text = JSON.stringify({ ...readDurations(), ...Object.fromEntries(durations) });
  writeFileSync(durationsFile, text);
}

function readDurations() {
  try {
    return JSON.parse(readFileSync(durationsFile, "utf8"));
  } catch {
    return {};
  }
}
