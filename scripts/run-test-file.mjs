import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findError } from "./failures.mjs";
import { readReport } from "./read-report.mjs";
import { runBun } from "./run-bun.mjs";

/** The timeout of a test or hook without its own; far above what it needs, as the machine may be busy. */
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

function readLines(file) {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
