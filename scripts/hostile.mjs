// `npm run hostile`: installs what is missing, then attacks servers of its own and prints one
// table. Names of trials choose among them; `--short` makes fewer tries:
// `npm run hostile -- multipart --short`.
import { spawnSync } from "node:child_process";
import { bunPath, installIfNeeded, root } from "./install.mjs";

installIfNeeded({ development: true });
const args = ["torture/hostile/main.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(bunPath(), args, { cwd: root, stdio: "inherit" }).status ?? 1;
