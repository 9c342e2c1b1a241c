import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { basename, join } from "node:path";
import { bunPath, root } from "./install.mjs";
import { sourceFiles } from "./source-files.mjs";

/** What the bundle is made from. */
const sources = ["server", "cli", "contract", "sdk/src"];
const files = [
  "package.json",
  "package-lock.json",
  "scripts/bundle-server.ts",
  "scripts/module-urls.ts",
  "scripts/server-threads.ts",
];

const bundles = join(root, "dist", "server");
/** 4 MB each. */
const KEPT_BUNDLES = 5;
const LEFT_MS = 3_600_000;

/**
 * The path of the program that serves: a bundle of the server, built once for each state of the sources. The same
 * modules as a thousand files take 17 MB more, and twice as long to start. If it cannot be built: the sources.
 */
export function provideServerProgram() {
  const bundle = join(bundles, fingerprint());
  if (!existsSync(bundle) && !build(bundle)) return join(root, "server", "main.ts");
  markAsUsed(bundle);
  return join(bundle, "server", "main.ts");
}

/** A hash of all sources and of their place, which a bundle contains. */
function fingerprint() {
  const hash = createHash("sha256").update(root);
  for (const path of [...files, ...sources.flatMap(sourceFiles)]) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Returns whether the bundle exists now. */
function build(bundle) {
  console.error("Bundling the server …");
  const fresh = `${bundle}-${process.pid}`;
  const script = join(root, "scripts", "bundle-server.ts");
  try {
    mkdirSync(bundles, { recursive: true });
    const args = [script, fresh, bundle];
    const { status } = spawnSync(bunPath(), args, { cwd: root, stdio: ["ignore", 2, 2] });
    if (status !== 0) throw new Error("see above");
    // Only a complete bundle has this name.
    renameSync(fresh, bundle);
    removeOldBundles();
    return true;
  } catch (error) {
    // Another process may have been faster.
    if (existsSync(bundle)) return true;
    console.error(`The server could not be bundled: ${error.message}. It starts from its sources.`);
    return false;
  } finally {
    removeIfPossible(fresh);
  }
}

/** Sets the time of a bundle to now: it says when the bundle was last started. */
function markAsUsed(bundle) {
  try {
    utimesSync(bundle, new Date(), new Date());
  } catch {
    // The bundle belongs to another user or is on a read-only volume: then nothing is removed either.
  }
}

/**
 * Keeps the bundles of the latest starts: a server that still runs loads threads and rarely needed code from
 * its own. What a killed build has left goes after an hour.
 */
function removeOldBundles() {
  const startedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const paths = readdirSync(bundles).map((name) => join(bundles, name));
  const complete = paths.filter((path) => /^[0-9a-f]{16}$/.test(basename(path)));
  const latestFirst = complete.sort((a, b) => startedAt(b) - startedAt(a));
  for (const path of latestFirst.slice(KEPT_BUNDLES)) removeIfPossible(path);
  const left = paths.filter((path) => !complete.includes(path));
  for (const path of left) if (startedAt(path) < Date.now() - LEFT_MS) removeIfPossible(path);
}

function removeIfPossible(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The next build tries again.
  }
}
