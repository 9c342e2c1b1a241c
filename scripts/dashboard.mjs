import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bunPath, root } from "./install.mjs";
import { sourceFiles } from "./source-files.mjs";

const output = join(root, "dashboard", "dist");
const stamp = join(output, "stamp");

/** The folders of the sources of the dashboard and of the documents. */
const sources = [
  "dashboard/src",
  "dashboard/build",
  "sdk/src",
  "contract",
  "docs",
  // The search of the documents finds the parts of the API reference.
  "server/http/pages",
];

/** A hash of all sources. */
function fingerprint() {
  const hash = createHash("sha256");
  const add = (path) => hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  add("package-lock.json");
  for (const source of sources) {
    for (const file of sourceFiles(source)) add(file);
  }
  return hash.digest("hex");
}

/**
 * Builds the dashboard unless it is up to date, in a separate process to keep the server's memory
 * small. Returns whether a built dashboard exists.
 */
export function buildDashboardIfNeeded() {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return true;

  console.error("Building the dashboard …");
  // Built beside the output and then swapped, so that a running server always finds a complete one.
  const fresh = `${output}-${process.pid}`;
  const old = `${output}-old-${process.pid}`;
  const build = join(root, "dashboard", "build", "build.ts");
  const { status } = spawnSync(bunPath(), [build, fresh], { cwd: root, stdio: ["ignore", 2, 2] });
  try {
    if (status !== 0) throw new Error("its build failed, see above");
    writeFileSync(join(fresh, "stamp"), wanted);
    if (existsSync(output)) renameSync(output, old);
    renameSync(fresh, output);
    return true;
  } catch (error) {
    console.error(`The dashboard could not be built: ${error.message}. The API works without it.`);
    return existsSync(stamp);
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  }
}

const DEBOUNCE_MS = 120;

/** Rebuilds whenever a source changes, until the process exits. */
export function buildDashboardOnChange() {
  let timer;
  for (const source of sources) {
    watch(join(root, source), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(buildDashboardIfNeeded, DEBOUNCE_MS);
    });
  }
}
