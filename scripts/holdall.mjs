#!/usr/bin/env node
// Starts Holdall with the runtime that npm installed, after installing what is missing.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { buildDashboardIfNeeded, buildDashboardOnChange } from "./dashboard.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";
import { runtimeSettings } from "./runtime-settings.mjs";
import { provideServerProgram } from "./server-program.mjs";

installIfNeeded({ development: false });

const restarts = process.argv[2] === "--watch";
const args = process.argv.slice(restarts ? 3 : 2);
const serves = args[0] === undefined || args[0] === "serve";
if (serves) buildDashboardIfNeeded();
if (serves && restarts) buildDashboardOnChange();
// Changed sources are loaded without a bundle, and most commands end before a bundle would pay for itself.
const main = serves && !restarts ? provideServerProgram() : join(root, "server", "main.ts");
const child = spawn(bunPath(), [...(restarts ? ["--watch"] : []), main, ...args], {
  env: { ...runtimeSettings, ...process.env },
  stdio: "inherit",
});

// The server decides how it stops; this process only waits for it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
// npm forwards a signal only to its shell, which exits without forwarding it.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, 250);
  watch.unref();
}
child.on("error", (error) => {
  console.error(`Holdall could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128);
});
