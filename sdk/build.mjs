#!/usr/bin/env node
// Builds the package into dist/: modules for all runtimes, their source maps and types.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installIfNeeded } from "../scripts/install.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = join(here, "..");
const tools = join(here, "../node_modules/.bin");
const dist = resolve(process.argv[2] ?? join(here, "dist"));

/** What programs import: see `exports` in package.json. */
const entries = [
  "src/holdall.ts",
  "src/upload-only.ts",
  "src/admin.ts",
  "src/texts.ts",
  "src/webhooks-only.ts",
  "src/dry-run.ts",
  "src/logo.ts",
  "src/people.ts",
  "src/quotas.ts",
  "src/undo.ts",
];

installIfNeeded({ development: true });
rmSync(dist, { recursive: true, force: true });
run(
  "bun",
  "build",
  ...entries,
  "--root=src",
  "--target=browser",
  "--format=esm",
  // Modules that several entries need exist once, also in a program that uses both.
  "--splitting",
  "--minify",
  "--sourcemap=linked",
  `--outdir=${dist}`,
);
run("tsc", "-p", "tsconfig.build.json", "--outDir", dist);
for (const name of readdirSync(dist, { recursive: true })) {
  if (name.endsWith(".d.ts")) importScripts(join(dist, name));
  if (name.endsWith(".js.map")) nameSources(join(dist, name));
}

/** Changes imports of `.ts` to `.js`, because some compilers do not resolve `.ts` in declarations. */
function importScripts(file) {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
}

/** A source map names its sources, which it contains, by their paths in the repository. */
function nameSources(file) {
  const map = JSON.parse(readFileSync(file, "utf8"));
  const sources = map.sources.map((source) => relative(repository, resolve(dist, source)));
  writeFileSync(file, JSON.stringify({ ...map, sources }));
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
