// `npm run build`: installs what is missing, builds the dashboard if needed, and compiles everything
// into one executable for this platform: `dist/holdall`.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";

installIfNeeded({ development: false });
if (!buildDashboardIfNeeded()) process.exit(1);

const output = join(root, "dist", process.platform === "win32" ? "holdall.exe" : "holdall");
const script = join(root, "scripts", "executable.ts");
const { status } = spawnSync(bunPath(), [script, output], { cwd: root, stdio: "inherit" });
if (status === 0) {
  console.log(`${output}: ${Math.round(statSync(output).size / 1024 ** 2)} MiB`);
}
process.exitCode = status ?? 1;
