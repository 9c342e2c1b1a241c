import { appendFileSync } from "node:fs";

/**
 * For `test.skipIf`: whether `what` is missing here. Reports it to the test runner, which lists what
 * was missing and fails a run that skips tests without such a report.
 */
export function isMissing(what: string, isPresent: boolean): boolean {
  const report = process.env.HOLDALL_TEST_SKIPS;
  if (!isPresent && report !== undefined) appendFileSync(report, `${what}\n`);
  return !isPresent;
}
