// `npm run bench`: installs what is missing, runs the benchmarks and prints their figures. Arguments
// select benchmarks: `npm run bench start large`.
import { spawnSync } from "node:child_process";
import { provideCeph } from "./ceph.mjs";
import { provideChromium } from "./chromium.mjs";
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";
import { runtimeSettings } from "./runtime-settings.mjs";
import { provideServerProgram } from "./server-program.mjs";

installIfNeeded({ development: true });
const given = process.argv.slice(2);
const names = given.filter((arg) => !arg.startsWith("-"));
if (names.length === 0 || names.includes("dashboard")) {
  if (!buildDashboardIfNeeded()) process.exit(1);
  await provideChromium();
}
const needsCeph = ["instances", "s3"].some((name) => names.includes(name));
if (names.length === 0 || needsCeph) provideCeph();
const args = ["bench/main.ts", ...given];
const env = { ...process.env, ...runtimeSettings, HOLDALL_TEST_PROGRAM: provideServerProgram() };
process.exitCode = spawnSync(bunPath(), args, { cwd: root, env, stdio: "inherit" }).status ?? 1;
