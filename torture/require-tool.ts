import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CannotRun } from "./trial.ts";

let listsAreFresh = false;

/**
 * Makes sure that a program is installed. As root on Debian, it installs the package. Otherwise it
 * throws `CannotRun` with the name of the package.
 */
export function requireTool(program: string, debianPackage = program): void {
  if (Bun.which(program) !== null) return;
  if (process.getuid?.() === 0 && Bun.which("apt-get") !== null) {
    if (!listsAreFresh) apt("update");
    listsAreFresh = true;
    apt("install", "--yes", "--no-install-recommends", debianPackage);
    if (Bun.which(program) !== null) return;
  }
  throw new CannotRun(`${program} is needed: install the package ${debianPackage}.`);
}

/**
 * Installs npm packages that only trials need, each as `NAME@VERSION`, and returns the folder that
 * contains them. Throws `CannotRun` if npm cannot install them.
 */
export function requirePackages(what: string, packages: readonly string[]): string {
  const version = packages[0]?.split("@").at(-1) ?? "";
  const home = join(cache, `${what}-${version}`);
  const isComplete = join(home, "installed");
  if (!existsSync(isComplete)) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), "{}");
    const args = ["install", "--no-save", "--no-package-lock", "--ignore-scripts"];
    const { status } = spawnSync("npm", [...args, "--loglevel=error", ...packages], {
      cwd: home,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) throw new CannotRun(`${what} is needed: npm could not install it.`);
    writeFileSync(isComplete, "");
  }
  return join(home, "node_modules");
}

const cache = new URL("../node_modules/.cache", import.meta.url).pathname;

/** Throws `CannotRun` unless the process may mount and shut down file systems. */
export function requireRoot(): void {
  if (process.getuid?.() !== 0)
    throw new CannotRun("Only root may mount file systems: run as root.");
}

function apt(...args: string[]): void {
  spawnSync("apt-get", ["-q", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
