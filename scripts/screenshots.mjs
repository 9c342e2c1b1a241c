// `npm run screenshots -- FOLDER [PAGES]`: screenshots of every page in both themes and three widths.
import { spawnSync } from "node:child_process";
import { provideChromium } from "./chromium.mjs";
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";

installIfNeeded({ development: true });
if (!buildDashboardIfNeeded()) process.exit(1);
await provideChromium();
const args = ["e2e/screenshots.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(bunPath(), args, { cwd: root, stdio: "inherit" }).status ?? 1;
