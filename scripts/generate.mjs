#!/usr/bin/env node
// Writes openapi.json, contract/api.ts, the tables in docs/configuration.md and docs/errors.md, THIRD-PARTY.md
// and the typeface of the pages from their sources. Needs nothing but Node and `npm install`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const bun = fileURLToPath(new URL("../node_modules/.bin/bun", import.meta.url));
const script = fileURLToPath(new URL("generate.ts", import.meta.url));
const { status, error } = spawnSync(bun, [script], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (error) {
  console.error(`Bun could not be started (${error.message}). Run \`npm install\` first.`);
}
process.exit(status ?? 1);
