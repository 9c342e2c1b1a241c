import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundleServer } from "./bundled-server.mjs";
import { bunPath, root } from "./install.mjs";
import { createJobLimit } from "./job-limit.mjs";
import { runTestFile } from "./run-test-file.mjs";
import { isPastOneMachine } from "./test-files.mjs";
import { rememberDurations, scheduleTests } from "./test-schedule.mjs";

/** These start the server from its sources, as users do; the others start the bundle. */
const FROM_SOURCES = ["test/startup.test.ts"];
/** These need a real disk: they test what it does, or write more than memory should hold. */
const ON_DISK =
  /^(server\/(fs|blobs|catalog(?!\/sqlite\/contract-)|instance)|torture|bench|packaging)\/|disk|durability|space|shortage|executable|e2e\/uploads/;
/** What the temporary files of all other tests may need. */
const MEMORY_BYTES = 4 * 1024 ** 3;
/** Failed files that run again, each alone, and must pass then. If more have failed, none does. */
const MAX_REPEATED = 3;
/** What the servers of a run need to end, at most. */
const SERVERS_END_MS = 20_000;

/**
 * Runs every test file in a process of its own, several at once, the longest first, and at the end
 * those that test times, against shared PostgreSQL and S3 servers. Prints a line for each file,
 * and its output if it fails. `failures` of the result: title and message of each test that failed or
 * was skipped without a reason; `unstable`: those that failed, but passed when their file ran again;
 * `reasons`: what was missing where tests were skipped.
 */
export async function runTests(files, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "holdall-test-run-"));
  const memory = memoryFolder();
  const program = await bundleServer(folder);
  const inMemory = memory === undefined ? {} : { TMPDIR: memory };
  // PostgreSQL commits in half the time there.
  const shared = await startSharedServers({ ...process.env, ...env, ...inMemory });
  const { together, groups } = scheduleTests(files);
  const results = new Map();
  const unstable = [];
  const durations = [];

  async function runFile(file) {
    const result = await runTestFile(file, folder, {
      ...process.env,
      ...env,
      ...shared.env,
      ...(FROM_SOURCES.includes(file) ? {} : { HOLDALL_TEST_PROGRAM: program }),
      ...(ON_DISK.test(file) ? {} : inMemory),
    });
    durations.push([file, result.seconds]);
    results.set(file, result);
    console.log(describe(result, file, `${durations.length}/${files.length}`));
    if (result.failed > 0) console.log(result.output);
  }

  /**
   * A busy machine can make a browser miss a moment that a test waits for, and a database or a store
   * answer so late that the server rightly says 503.
   */
  async function repeatFailed() {
    const failed = [...results].filter(([, { failed }]) => failed > 0);
    const hanging = failed.filter(([file]) => waitsForOthers(file, env));
    if (hanging.length > MAX_REPEATED) return;
    for (const [file, first] of hanging) {
      console.log(`${file} runs again, alone:`);
      await runFile(file);
      if (results.get(file).failed === 0) unstable.push(...failuresOf(file, first));
    }
  }

  const limit = createJobLimit(Number(process.env.TEST_JOBS ?? 0));
  try {
    const running = [];
    for (const file of together) {
      await limit.begin();
      running.push(runFile(file).finally(limit.end));
    }
    await Promise.all(running);
    for (const group of groups) await Promise.all(group.map(runFile));
    await repeatFailed();
  } finally {
    limit.stop();
    shared.stop();
    rmSync(folder, { recursive: true });
    if (memory !== undefined) await removeMemoryFolder(memory);
  }
  if (Object.keys(env).length === 0) rememberDurations(durations);
  return { ...sum(results), unstable };
}

/** Whether a test needs a browser, or a database or store that runs beside it. */
const waitsForOthers = (file, env) =>
  file.startsWith("e2e/") || isPastOneMachine(file) || env.HOLDALL_TEST_CATALOG !== undefined;

function sum(results) {
  const total = { passed: 0, failed: 0, skipped: 0, reasons: new Set(), failures: [] };
  for (const [file, result] of results) {
    total.passed += result.passed;
    total.failed += result.failed;
    total.skipped += result.skipped.length;
    for (const reason of result.reasons) total.reasons.add(reason);
    total.failures.push(...failuresOf(file, result));
  }
  return total;
}

const failuresOf = (file, { failures }) =>
  failures.map(({ title, message }) => ({ title: `${file}: ${title}`, message }));

function describe({ passed, failed, skipped, seconds }, file, progress) {
  const counts = [`${passed} passed`];
  if (failed > 0) counts.push(`${failed} FAILED`);
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
  return `${progress.padStart(7)}  ${seconds.toFixed(1).padStart(5)} s  ${file}: ${counts.join(", ")}`;
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
