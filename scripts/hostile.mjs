// `npm run hostile`: installs what is missing, attacks servers that it starts, and prints one table.
// Arguments select attacks; `--short` makes fewer tries:
// `npm run hostile -- forms --short`.
import { spawnSync } from "node:child_process";
import { bunPath, installIfNeeded, root } from "./install.mjs";
import { runtimeSettings } from "./runtime-settings.mjs";

installIfNeeded({ development: true });
const env = { ...process.env, ...runtimeSettings };
const args = ["torture/hostile/main.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(bunPath(), args, { cwd: root, env, stdio: "inherit" }).status ?? 1;
