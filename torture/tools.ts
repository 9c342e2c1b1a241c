import { spawnSync } from "node:child_process";
import { CannotRun } from "./trial.ts";

let listsAreFresh = false;

/**
 * Makes sure that a program is on this machine: installs its Debian package where that may be done.
 * Throws `CannotRun` with what to install by hand where it may not.
 */
export function needTool(program: string, debianPackage = program): void {
  if (Bun.which(program) !== null) return;
  if (process.getuid?.() === 0 && Bun.which("apt-get") !== null) {
    if (!listsAreFresh) apt("update");
    listsAreFresh = true;
    apt("install", "--yes", "--no-install-recommends", debianPackage);
    if (Bun.which(program) !== null) return;
  }
  throw new CannotRun(`${program} is needed: install the package ${debianPackage}.`);
}

/** Mounting, shutting down file systems and the like are the administrator's. */
export function needRoot(): void {
  if (process.getuid?.() !== 0)
    throw new CannotRun("Only root may mount file systems: run as root.");
}

function apt(...args: string[]): void {
  spawnSync("apt-get", ["-q", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}
