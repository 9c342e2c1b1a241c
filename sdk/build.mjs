#!/usr/bin/env node
// Builds the package into dist/: one module for all runtimes, and its types.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installIfNeeded } from "../scripts/install.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const tools = join(here, "../node_modules/.bin");
const dist = process.argv[2] ?? join(here, "dist");

installIfNeeded({ development: true });
rmSync(dist, { recursive: true, force: true });
run(
  "bun",
  "build",
  "src/holdall.ts",
  "--target=browser",
  "--format=esm",
  `--outfile=${dist}/holdall.js`,
);
run("tsc", "-p", "tsconfig.build.json", "--outDir", dist);
for (const name of readdirSync(dist, { recursive: true })) {
  if (name.endsWith(".d.ts")) importScripts(join(dist, name));
}

/** Changes imports of `.ts` to `.js`, because some compilers do not resolve `.ts` in declarations. */
function importScripts(file) {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
}

function run(tool, ...args) {
  const { status, stdout, stderr, error } = spawnSync(join(tools, tool), args, {
    cwd: here,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status === 0) return;
  process.stderr.write(`${tool} failed.\n${error?.message ?? ""}${stdout ?? ""}${stderr ?? ""}`);
  process.exit(1);
}
