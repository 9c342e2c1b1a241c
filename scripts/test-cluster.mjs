// `npm run test:cluster`: all tests from outside on SQLite and disk, on PostgreSQL and disk, on
// PostgreSQL and S3, and against servers of two processes; the suites of the stores themselves; the
// catalog on every version of PostgreSQL that Holdall is for. Ends with a table. What cannot be had
// here counts as failed.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideCeph } from "./ceph.mjs";
import { countTests } from "./count-tests.mjs";
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";
import { provideNginx } from "./nginx.mjs";
import { postgresVersions, providePostgres } from "./postgres-versions.mjs";
import { provideRedis } from "./redis.mjs";

installIfNeeded({ development: true });
buildDashboardIfNeeded();
provideNginx();
const s3 = provideCeph() ? {} : undefined;
const redis = provideRedis() ? {} : undefined;

/** These bring stores of their own, look into SQLite's file, or are about what is the same on all. */
const OWN =
  /^(s3|s3-faults|postgres|redis|instances|full-disk|config|cli|doctor|x-accel|freshness|dependencies|deploy|migrate)\.test\.ts$/;
const outside = readdirSync(join(root, "test"))
  .filter((name) => name.endsWith(".test.ts") && !OWN.test(name))
  .map((name) => `./test/${name}`);

const onPostgres = { HOLDALL_TEST_CATALOG: "postgres" };

/** Title, environment (undefined: what it needs is not to be had), tests. */
const rounds = [
  ["stores: SQLite, disk, S3", s3, ["server/catalog/sqlite", "server/blobs", "./test/s3"]],
  ["limits in Redis, instances", redis, ["server/redis", "./test/redis", "./test/instances"]],
  ["moves between stores", s3, ["server/transfer", "./test/migrate"]],
  ...postgresVersions.map((major) => [
    `catalog on PostgreSQL ${major}`,
    providePostgres(major),
    ["server/catalog/postgres", "./test/postgres"],
  ]),
  ["outside: SQLite, disk", {}, outside],
  ["outside: PostgreSQL, disk", onPostgres, outside],
  ["outside: PostgreSQL, S3", s3 && { ...onPostgres, HOLDALL_TEST_BLOBS: "s3" }, outside],
  ["outside: two processes each", { TEST_WORKERS: "2" }, ["./test/"]],
];

const outcomes = rounds.map(([title, env, files]) => {
  if (env === undefined) return { title, verdict: "FAILED: what it needs is not to be had here" };
  console.log(`\n— ${title}`);
  const report = join(tmpdir(), `holdall-cluster-${process.pid}.xml`);
  const from = performance.now();
  const { status } = spawnSync(
    bunPath(),
    ["test", "--timeout=60000", "--reporter=junit", `--reporter-outfile=${report}`, ...files],
    { cwd: root, stdio: "inherit", env: { ...process.env, ...env } },
  );
  const seconds = Math.round((performance.now() - from) / 1000);
  const { tests, failures, skipped } = countTests(report);
  const verdict = status === 0 && tests > 0 ? "passed" : "FAILED";
  return { title, verdict, passed: tests - failures - skipped, failures, skipped, seconds };
});

const row = (...[title, passed, failures, skipped, seconds, verdict]) =>
  `${title.padEnd(30)} ${[passed, failures, skipped, seconds].map((cell) => String(cell ?? "–").padStart(8)).join("")}  ${verdict}`;
console.log(`\n${row("Round", "Passed", "Failed", "Skipped", "Seconds", "Verdict")}`);
for (const { title, passed, failures, skipped, seconds, verdict } of outcomes)
  console.log(row(title, passed, failures, skipped, seconds, verdict));
if (s3 === undefined) {
  console.log(
    "\nS3 needs Ceph's programs, which come as packages of Debian and its kin (radosgw, ceph-mon, ceph-osd, ceph-common).",
  );
}
const failed = outcomes.filter(({ verdict }) => verdict !== "passed").length;
console.log(`\n${outcomes.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
