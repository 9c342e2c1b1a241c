import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

const modules = join(root, "node_modules");
const stamp = join(modules, ".holdall-installed");

/** The absolute path of the runtime. */
export function bunPath() {
  return join(modules, "bun", "bin", "bun.exe");
}

/**
 * Installs the packages of the lock file unless they are installed. `development` adds those for
 * tests and checks, which are not removed again. Exits with a message on failure.
 */
export function installIfNeeded({ development }) {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const found = existsSync(stamp) ? readFileSync(stamp, "utf8").split(" ") : [];
  const all = development || found[1] === "all" || hasDevelopmentPackages();
  if (found[0] === wanted && (found[1] === "all" || !development) && existsSync(bunPath())) return;

  console.error("Installing the packages that Holdall needs (once) …");
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  if (!all) args.push("--omit=dev");
  const npm = spawnSync("npm", args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) {
    console.error("The packages could not be installed: see npm's messages above.");
    process.exit(1);
  }
  placeRuntime();
  writeFileSync(stamp, `${wanted} ${all ? "all" : "run"}`);
}

/** Whether npm installed the packages for tests and checks, too, which stay then. */
const hasDevelopmentPackages = () => existsSync(join(modules, "typescript"));

/** Runs the install script of the runtime if npm was configured not to. */
function placeRuntime() {
  const runs = () => spawnSync(bunPath(), ["--version"]).status === 0;
  if (runs()) return;
  spawnSync(process.execPath, ["install.js"], { cwd: join(modules, "bun"), stdio: "inherit" });
  if (runs()) return;
  console.error("The runtime (the npm package bun) does not run on this machine.");
  process.exit(1);
}
