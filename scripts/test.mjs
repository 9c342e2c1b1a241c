// `npm test`: installs what is missing, then checks and tests everything. `npm test -- PATTERN …`
// runs only the test files whose paths contain a pattern; `npm run check` only the checks. The last
// line counts the tests that passed, failed and were skipped.
import { runChecks } from "./checks.mjs";
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { installIfNeeded } from "./install.mjs";
import { runTests } from "./run-tests.mjs";
import { testFiles } from "./test-files.mjs";
import { provideTestPrograms } from "./test-programs.mjs";

const [first, ...others] = process.argv.slice(2);
const isCheckOnly = first === "--check";
const patterns = isCheckOnly || first === undefined ? [] : [first, ...others];

installIfNeeded({ development: true });
let failedChecks = buildDashboardIfNeeded() ? 0 : 1;
if (patterns.length === 0) failedChecks += await runChecks();
if (isCheckOnly) process.exit(failedChecks === 0 ? 0 : 1);

const files = testFiles(patterns);
const { present } = await provideTestPrograms();
const { passed, failed, skipped, reasons, unexplained } = await runTests(files);

const contradictions = [...reasons].filter((reason) => present.has(reason));
for (const reason of reasons) console.log(`Skipped where this is missing: ${reason}`);
for (const title of unexplained) console.log(`SKIPPED without a reason: ${title}`);
for (const reason of contradictions) console.log(`SKIPPED although it is here: ${reason}`);
if (files.length === 0) console.log(`No test file matches ${patterns.join(", ")}.`);
const failures = failed + failedChecks + unexplained.length + contradictions.length;
console.log(`\n${passed} passed, ${failures} failed, ${skipped} skipped`);
process.exit(failures === 0 && passed > 0 ? 0 : 1);
