// `npm run bench`: installs what is missing, then measures and prints the figures. Names of
// benches choose among them: `npm run bench start large`.
import { spawnSync } from "node:child_process";
import { bunPath, installIfNeeded, root } from "./install.mjs";

installIfNeeded({ development: true });
const args = ["bench/main.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(bunPath(), args, { cwd: root, stdio: "inherit" }).status ?? 1;
