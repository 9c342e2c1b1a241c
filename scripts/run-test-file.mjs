import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findError } from "./failures.mjs";
import { bunPath, root } from "./install.mjs";
import { readReport } from "./read-report.mjs";

/** A file that runs longer hangs. */
const FILE_TIMEOUT_MS = 15 * 60_000;
/** Of a test or hook without its own; far above what it needs, as the machine may be busy. */
const TEST_TIMEOUT_MS = 180_000;

/**
 * Runs a test file in a process of its own; its report goes into the folder. Resolves with its
 * counts, `failures`, titles of `skipped` tests, `reasons` for skipping, `seconds` and `output`.
 */
export async function runTestFile(file, folder, env) {
  const name = file.replaceAll("/", "_");
  const report = join(folder, `${name}.xml`);
  const skips = join(folder, `${name}.skips`);
  const from = performance.now();
  const { isSuccess, output } = await runBun(
    [
      ...["test", `--timeout=${TEST_TIMEOUT_MS}`, "--preload=./test/bundled-threads.fixture.ts"],
      "--reporter=junit",
      ...[`--reporter-outfile=${report}`, `./${file}`],
    ],
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

/** Resolves with the output of `bun` and whether it succeeded. */
export function runBun(args, env) {
  return new Promise((resolve) => {
    const child = spawn(bunPath(), args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    const timer = setTimeout(() => {
      output += `\nerror: It was killed after ${FILE_TIMEOUT_MS / 60_000} minutes.\n`;
      child.kill("SIGKILL");
    }, FILE_TIMEOUT_MS);
    // Not "close": processes that a test has left behind may keep its output open.
    child.once("exit", (code) => {
      clearTimeout(timer);
      setImmediate(() => resolve({ isSuccess: code === 0, output }));
    });
  });
}

function readLines(file) {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
