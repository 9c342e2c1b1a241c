#!/usr/bin/env node
// The command of the npm package: runs the server with the runtime that npm installed.
import { fileURLToPath } from "node:url";
import { runProgram } from "../../scripts/run-program.mjs";
import { findRuntime, packageOfRuntime } from "./find-runtime.mjs";

const OLDEST_NODE = 20;

const platform = `${process.platform} ${process.arch}`;
const runtime = findRuntime(import.meta.url);
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  refuse(`Holdall needs Node ${OLDEST_NODE} or newer, and this is Node ${process.versions.node}.`);
} else if (packageOfRuntime() === undefined) {
  refuse(`Holdall does not run on ${platform}: it needs Linux or macOS, on x64 or arm64.`);
} else if (runtime === undefined) {
  refuse(
    `The runtime for ${platform} is missing: install holdall again, with its optional dependencies.`,
  );
} else {
  const program = fileURLToPath(new URL("../program/main.ts", import.meta.url));
  // Settings of the runtime in the current folder belong to other programs, and nothing is downloaded.
  const settings = fileURLToPath(new URL("../program/bunfig.toml", import.meta.url));
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
