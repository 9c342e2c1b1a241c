// `npm run test:cluster`: all tests from outside three times, on SQLite and disk, on PostgreSQL and
// disk, on PostgreSQL and S3; and the suites of the stores themselves.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { provideCeph } from "./ceph.mjs";
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";
import { provideRedis } from "./redis.mjs";

installIfNeeded({ development: true });
buildDashboardIfNeeded();
const hasCeph = provideCeph();
provideRedis();

/** These bring stores of their own, look into SQLite's file, or are about what is the same on all. */
const OWN =
  /^(s3|s3-faults|postgres|redis|instances|full-disk|config|cli|doctor|workers|x-accel|freshness|dependencies|migrate)\.test\.ts$/;
const outside = readdirSync(join(root, "test"))
  .filter((name) => name.endsWith(".test.ts") && !OWN.test(name))
  .map((name) => `./test/${name}`);

const rounds = [
  [
    "the stores",
    {},
    [
      ...["server/catalog", "server/blobs", "server/redis"],
      ...["./test/s3", "./test/postgres", "./test/redis", "./test/instances"],
    ],
  ],
  ["SQLite and disk", {}, outside],
  ["PostgreSQL and disk", { HOLDALL_TEST_CATALOG: "postgres" }, outside],
  ...(hasCeph
    ? [
        [
          "PostgreSQL and S3",
          { HOLDALL_TEST_CATALOG: "postgres", HOLDALL_TEST_BLOBS: "s3" },
          outside,
        ],
      ]
    : []),
];

const outcomes = rounds.map(([title, env, files]) => {
  console.log(`\n— ${title}`);
  const { status } = spawnSync(bunPath(), ["test", "--timeout=60000", ...files], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  return { title, passed: status === 0 };
});

console.log("");
for (const { title, passed } of outcomes) console.log(`${title}: ${passed ? "passed" : "FAILED"}`);
if (!hasCeph)
  console.log("PostgreSQL and S3: not run, since Ceph's S3 server is not to be had here");
const failed = outcomes.filter(({ passed }) => !passed).length;
console.log(`\n${outcomes.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
