#!/usr/bin/env node
// Starts Holdall with the runtime that npm installed, after installing what is missing.
import { join } from "node:path";
import { buildDashboardIfNeeded, buildDashboardOnChange } from "./dashboard.mjs";
import { bunPath, installIfNeeded, root } from "./install.mjs";
import { runProgram } from "./run-program.mjs";
import { provideServerProgram } from "./server-program.mjs";

installIfNeeded({ development: false });

const restarts = process.argv[2] === "--watch";
const args = process.argv.slice(restarts ? 3 : 2);
const serves = args[0] === undefined || args[0] === "serve";
if (serves) buildDashboardIfNeeded();
if (serves && restarts) buildDashboardOnChange();
// Changed sources are loaded without a bundle, and most commands end before a bundle would pay for itself.
const main = serves && !restarts ? provideServerProgram() : join(root, "server", "main.ts");
runProgram(bunPath(), [...(restarts ? ["--watch"] : []), main, ...args]);
