// `npm run torture`: installs what is missing, injects faults and prints one table. Arguments select
// trials; `--short` makes fewer tries: `npm run torture -- kill --short`.
import { spawnSync } from "node:child_process";
import { provideCeph } from "./ceph.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";

installIfNeeded({ development: true });
provideCeph();
const args = ["torture/main.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(bunPath(), args, { cwd: root, stdio: "inherit" }).status ?? 1;
