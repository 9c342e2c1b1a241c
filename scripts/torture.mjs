// `npm run torture`: installs what is missing, injects faults and prints one table. Arguments select
// trials; `--short` makes fewer tries: `npm run torture -- kill --short`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleServer } from "./bundled-server.mjs";
import { provideCeph } from "./ceph.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";

installIfNeeded({ development: true });
provideCeph();
const folder = mkdtempSync(join(tmpdir(), "holdall-torture-program-"));
try {
  const args = ["torture/main.ts", ...process.argv.slice(2)];
  const env = { ...process.env, HOLDALL_TEST_PROGRAM: await bundleServer(folder) };
  process.exitCode = spawnSync(bunPath(), args, { cwd: root, env, stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
