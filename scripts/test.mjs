// `npm test`: installs what is missing, then checks and tests everything. `npm run check` stops
// before the tests. Ends with one line: how many tests passed and failed.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideCeph } from "./ceph.mjs";
import { provideChromium } from "./chromium.mjs";
import { countTests } from "./count-tests.mjs";
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";
import { provideNginx } from "./nginx.mjs";
import { provideRedis } from "./redis.mjs";

installIfNeeded({ development: true });

const bin = (name) => join(root, "node_modules", ".bin", name);

const checks = [
  ["Format, lint, imports", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["Types", bin("tsc"), ["-p", "."]],
  ["Imports", process.execPath, ["scripts/check-imports.mjs"]],
  ["Dead code", bin("knip"), []],
];

/** Runs a command, its output passed through. */
function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit" }).status === 0;
}

let failedChecks = 0;
if (!buildDashboardIfNeeded()) failedChecks += 1;
for (const [title, command, args] of checks) {
  console.log(`\n— ${title}`);
  if (!run(command, args)) failedChecks += 1;
}

if (process.argv[2] === "check") process.exit(failedChecks === 0 ? 0 : 1);

await provideChromium();
const isS3Tested = provideCeph();
const hasNginx = provideNginx();
const isRedisTested = provideRedis();
console.log("\n— Tests");
const report = join(tmpdir(), `holdall-tests-${process.pid}.xml`);
const folders = ["contract", "server", "sdk", "dashboard", "test", "torture", "bench", "e2e"];
const ran = run(bunPath(), [
  "test",
  "--timeout=60000",
  "--reporter=junit",
  `--reporter-outfile=${report}`,
  ...folders,
]);
const { tests, failures } = countTests(report);
const failed = failures + failedChecks + (ran || failures > 0 ? 0 : 1);
if (!isS3Tested) {
  console.log(
    "\nNot tested here: S3. It needs Ceph's programs, which come as packages of Debian and its kin (radosgw, ceph-mon, ceph-osd, ceph-common).",
  );
}
if (!hasNginx) console.log("\nNot tested here: DELIVERY behind nginx. It needs nginx.");
if (!isRedisTested) {
  console.log(
    "\nNot tested here: REDIS_URL. It needs redis-server, a package of Debian and its kin.",
  );
}
console.log(`\n${tests - failures} passed, ${failed} failed`);
process.exit(failed === 0 && tests > 0 ? 0 : 1);
