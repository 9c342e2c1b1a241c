import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findError } from "./failures.mjs";
import { bunPath, root } from "./install.mjs";
import { readReport } from "./read-report.mjs";

/** Seconds that each file took in the last run here. */
const durationsFile = join(root, "node_modules", ".cache", "test-seconds.json");
/** The longest files, for a first run: they start first, so that no long one is left to the end. */
const LONGEST = [
  ...["e2e/accessibility", "server/catalog/postgres/postgres", "test/s3-faults"],
  ...["server/catalog/sqlite/sqlite", "e2e/uploads", "e2e/files", "test/migrate", "e2e/preview"],
  ...["server/catalog/postgres/frozen-server", "e2e/active-files", "e2e/activity"],
  ...["test/frozen-dependencies", "test/activity", "test/instances", "e2e/settings", "test/s3"],
  ...["test/cli", "server/blobs/disk/disk", "test/startup", "test/export-import"],
].map((name) => `${name}.test.ts`);
/** These start the server from its sources, as users do; the others start the bundle. */
const FROM_SOURCES = ["test/startup.test.ts", "test/cli.test.ts"];
/** These need a real disk: they test what it does, or write more than memory should hold. */
const ON_DISK =
  /^(server\/(fs|blobs|catalog|instance)|torture|bench)\/|disk|durability|space|shortage|executable|e2e\/uploads/;
/** What the temporary files of all other tests may need. */
const MEMORY_BYTES = 4 * 1024 ** 3;
/** Most tests wait for timers, disks and processes: more files than processors keep these busy. */
const JOBS_PER_PROCESSOR = 1.5;
/** What the servers of a run need to end, at most. */
const SERVERS_END_MS = 20_000;
/** A file that runs longer hangs. */
const FILE_TIMEOUT_MS = 15 * 60_000;

/**
 * Runs every test file in a process of its own, several at once, the longest first, against shared
 * PostgreSQL and S3 servers. Prints a line for each file, and its output if it fails. `failures` of
 * the result: title and message of each test that failed or was skipped without a reason; `reasons`:
 * what was missing where tests were skipped.
 */
export async function runTests(files, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "holdall-test-run-"));
  const memory = memoryFolder();
  const program = await bundleServer(folder);
  const inMemory = memory === undefined ? {} : { TMPDIR: memory };
  // PostgreSQL commits in half the time there.
  const shared = await startSharedServers({ ...process.env, ...env, ...inMemory });
  const durations = readDurations();
  const queue = byDuration(files, durations);
  const total = { passed: 0, failed: 0, skipped: 0, reasons: new Set(), failures: [] };
  let done = 0;

  async function work() {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const result = await runFile(file, folder, {
        ...process.env,
        ...env,
        ...shared.env,
        ...(FROM_SOURCES.includes(file) ? {} : { HOLDALL_TEST_PROGRAM: program }),
        ...(ON_DISK.test(file) ? {} : inMemory),
      });
      durations[file] = result.seconds;
      total.passed += result.passed;
      total.failed += result.failed;
      total.skipped += result.skipped.length;
      for (const reason of result.reasons) total.reasons.add(reason);
      for (const { title, message } of result.failures) {
        total.failures.push({ title: `${file}: ${title}`, message });
      }
      done += 1;
      console.log(describe(result, file, `${done}/${files.length}`));
      if (result.failed > 0) console.log(result.output);
    }
  }

  try {
    await Promise.all(Array.from({ length: jobs() }, work));
  } finally {
    shared.stop();
    rmSync(folder, { recursive: true });
    if (memory !== undefined) await removeMemoryFolder(memory);
  }
  if (Object.keys(env).length === 0) writeDurations(durations);
  return total;
}

const jobs = () =>
  Number(process.env.TEST_JOBS) ||
  Math.max(2, Math.ceil(availableParallelism() * JOBS_PER_PROCESSOR));

function describe({ passed, failed, skipped, seconds }, file, progress) {
  const counts = [`${passed} passed`];
  if (failed > 0) counts.push(`${failed} FAILED`);
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
  return `${progress.padStart(7)}  ${seconds.toFixed(1).padStart(5)} s  ${file}: ${counts.join(", ")}`;
}

async function runFile(file, folder, env) {
  const name = file.replaceAll("/", "_");
  const report = join(folder, `${name}.xml`);
  const skips = join(folder, `${name}.skips`);
  const from = performance.now();
  const { isSuccess, output } = await run(
    ["test", "--timeout=60000", "--reporter=junit", `--reporter-outfile=${report}`, `./${file}`],
    { ...env, HOLDALL_TEST_SKIPS: skips },
  );
  const seconds = (performance.now() - from) / 1000;
  const counts = readReport(report);
  // A file that ends badly without a failed test has failed as a whole.
  if (counts.failed === 0 && (!isSuccess || counts.passed + counts.skipped.length === 0)) {
    counts.failed = 1;
    counts.failures = [{ title: "ended badly", message: findError(output) }];
  }
  const reasons = readLines(skips);
  if (reasons.length === 0) {
    counts.failed += counts.skipped.length;
    const message = "skipped without a reason";
    counts.failures.push(...counts.skipped.map((title) => ({ title, message })));
  }
  return { ...counts, output, seconds, reasons };
}

function run(args, env) {
  return new Promise((resolve) => {
    const child = spawn(bunPath(), args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    const timer = setTimeout(() => {
      output += `\nIt was killed after ${FILE_TIMEOUT_MS / 60_000} minutes.\n`;
      child.kill("SIGKILL");
    }, FILE_TIMEOUT_MS);
    // Not "close": processes that a test has left behind may keep its output open.
    child.once("exit", (code) => {
      clearTimeout(timer);
      setImmediate(() => resolve({ isSuccess: code === 0, output }));
    });
  });
}

/** A folder in memory, where nothing waits for fsync; undefined if there is too little memory. */
function memoryFolder() {
  const parent = "/dev/shm";
  if (process.platform !== "linux" || !existsSync(parent)) return undefined;
  const { bavail, bsize } = statfsSync(parent);
  if (Math.min(bavail * bsize, freemem()) < MEMORY_BYTES) return undefined;
  const folder = mkdtempSync(join(parent, "holdall-"));
  // Like /tmp: some tests run as another user.
  chmodSync(folder, 0o1777);
  return folder;
}

/**
 * Servers of tests are ended by processes of their own, which need the folder and then remove the
 * server's part of it.
 */
async function removeMemoryFolder(folder) {
  const hasServers = () =>
    readdirSync(folder).some((name) => /^holdall-(postgres|s3|redis)-/.test(name));
  const end = performance.now() + SERVERS_END_MS;
  while (hasServers() && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  rmSync(folder, { recursive: true, force: true });
}

/** Resolves with the path of the program. */
async function bundleServer(folder) {
  const bundle = join(folder, "bundle");
  const { isSuccess, output } = await run(["scripts/bundle-server.ts", bundle], process.env);
  if (!isSuccess) throw new Error(`The server could not be bundled:\n${output}`);
  return join(bundle, "server", "main.ts");
}

/** Starts `test/shared-servers.ts`, whose servers start when a test first needs them. */
async function startSharedServers(env) {
  const child = spawn(bunPath(), ["test/shared-servers.ts"], {
    cwd: root,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const address = await new Promise((resolve, reject) => {
    lines.once("line", resolve);
    child.once("exit", () => reject(new Error("The shared servers did not start.")));
  });
  return { env: { HOLDALL_TEST_SERVERS: address }, stop: () => child.stdin.end() };
}

function byDuration(files, durations) {
  const seconds = (file) => durations[file] ?? (LONGEST.includes(file) ? 20 : 1);
  return files.toSorted((a, b) => seconds(b) - seconds(a));
}

function readDurations() {
  try {
    return JSON.parse(readFileSync(durationsFile, "utf8"));
  } catch {
    return {};
  }
}

function writeDurations(durations) {
  mkdirSync(join(durationsFile, ".."), { recursive: true });
  writeFileSync(durationsFile, JSON.stringify(durations));
}

function readLines(file) {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
