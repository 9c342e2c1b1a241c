// `npm run torture`: installs what is missing, injects faults and prints one table. Arguments select
// trials; `--short` makes fewer tries: `npm run torture -- kill --short`.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleServer } from "./bundled-server.mjs";
import { provideCeph } from "./ceph.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";
import { runtimeSettings } from "./runtime-settings.mjs";

installIfNeeded({ development: true });
provideCeph();
const folder = mkdtempSync(join(tmpdir(), "holdall-torture-program-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
let trials;
// The trials clean up before they exit; this process waits for them.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => (trials === undefined ? process.exit(130) : trials.kill(signal)));
}

const program = await bundleServer(folder);
const env = { ...process.env, ...runtimeSettings, HOLDALL_TEST_PROGRAM: program };
const args = ["torture/main.ts", ...process.argv.slice(2)];
trials = spawn(bunPath(), args, { cwd: root, env, stdio: "inherit" });
trials.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
