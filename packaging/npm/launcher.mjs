#!/usr/bin/env node
// The command of the npm package: runs the server with the runtime that npm installed.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../../scripts/run-program.mjs";
import { findRuntime, packageOfRuntime } from "./find-runtime.mjs";
import { isComplete } from "./is-complete.ts";

const OLDEST_NODE = 20;

const platform = `${process.platform} ${process.arch}`;
const runtime = findRuntime(import.meta.url);
const folder = fileURLToPath(new URL("..", import.meta.url));
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  refuse(`Holdall needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}.`);
} else if (packageOfRuntime() === undefined) {
  refuse(`Holdall does not run on ${platform}: it needs Linux or macOS, on x64 or arm64.`);
} else if (!isComplete(folder)) {
  refuse("This installation of Holdall is incomplete: install holdall again.");
} else if (runtime === undefined) {
  refuse(
    `The runtime for ${platform} is missing: install holdall again, with its optional dependencies.`,
  );
} else {
  const program = join(folder, "program/main.ts");
  // Settings of the runtime in the current folder belong to other programs, and nothing is downloaded.
  const settings = join(folder, "program/bunfig.toml");
  const args = [`--config=${settings}`, "--no-install", program, ...process.argv.slice(2)];
  runProgram(runtime, args, ({ code, message }) =>
    // The file exists: what the system does not find is the loader of its C library.
    code === "ENOENT"
      ? `${runtime} needs a C library that this system does not have.`
      : `${runtime} cannot be run (${message}).`,
  );
}

function refuse(reason) {
  console.error(reason);
  process.exitCode = 1;
}
