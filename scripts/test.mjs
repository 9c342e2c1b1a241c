// `npm test`: installs what is missing, then runs all checks and the tests of a server on one machine,
// in a browser only the main paths. `npm test -- PATTERN …` runs the test files whose paths contain a
// pattern, such as `e2e/` for all in a browser; `npm test -- --other-pages` runs the browser tests that
// `npm test` leaves out; `npm run check` only the checks. The last line counts the tests that passed,
// failed and were skipped; a list of the failures follows it.
import { runChecks } from "./checks.mjs";
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { listFailures } from "./failures.mjs";
import { installIfNeeded } from "./install.mjs";
import { runTests } from "./run-tests.mjs";
import { otherBrowserTestFiles, quickTestFiles, testFiles } from "./test-files.mjs";
import { provideTestPrograms, wrongSkips } from "./test-programs.mjs";

const [first, ...others] = process.argv.slice(2);
const isCheckOnly = first === "--check";
const isOtherPages = first === "--other-pages";
const isWhole = first === undefined;
const patterns = isWhole || isCheckOnly || isOtherPages ? [] : [first, ...others];

installIfNeeded({ development: true });
const failures = [];
if (!buildDashboardIfNeeded()) failures.push({ title: "the dashboard's build", message: "" });
// Beside the tests: types and dead code are each checked on one processor.
const checks = isWhole || isCheckOnly ? runChecks() : [];
if (isCheckOnly) process.exit([...failures, ...(await checks)].length === 0 ? 0 : 1);

const files = chosenFiles();
const { present } = await provideTestPrograms(files);
const results = await runTests(files);
const { passed, failed, skipped, reasons, unstable, failures: failedTests } = results;

for (const reason of reasons) console.log(`Skipped where this is missing: ${reason}`);
for (const { title } of unstable) console.log(`Unstable, passed when it ran again: ${title}`);
if (files.length === 0) console.log(`No test file matches ${patterns.join(", ")}.`);
failures.push(...wrongSkips(reasons, present), ...(await checks));
const failedCount = failed + failures.length;
console.log(`\n${passed} passed, ${failedCount} failed, ${skipped} skipped`);
if (failedCount > 0) console.log(listFailures([...failures, ...failedTests]));
process.exit(failedCount === 0 && passed > 0 ? 0 : 1);

function chosenFiles() {
  if (isOtherPages) return otherBrowserTestFiles();
  return isWhole ? quickTestFiles() : testFiles(patterns);
}
