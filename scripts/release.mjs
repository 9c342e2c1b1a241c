// `npm run release`: makes the npm packages, executables and Debian packages of a release, installs and tries each
// in an empty folder, and publishes the npm packages; `npm run release -- --dry-run` publishes nothing.
import { spawnSync } from "node:child_process";
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";

installIfNeeded({ development: true });
if (!buildDashboardIfNeeded()) process.exit(1);
const args = ["packaging/main.ts", ...process.argv.slice(2)];
const { status } = spawnSync(bunPath(), args, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
