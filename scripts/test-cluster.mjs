// `npm run test:cluster`: the tests of PostgreSQL, S3 servers, Redis and several servers, the API tests on
// every combination of catalog and blob store and on servers of two processes, and the catalog on every
// supported version of PostgreSQL. `--short` runs the combinations that differ most from `npm test`, with
// the tests of files and folders.
// Prints one table, the counts and the failures; a round whose programs cannot be installed here has failed.
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { listFailures } from "./failures.mjs";
import { installIfNeeded } from "./install.mjs";
import { postgresVersions, providePostgres } from "./postgres-versions.mjs";
import { runTests } from "./run-tests.mjs";
import { isPastOneMachine, testFiles } from "./test-files.mjs";
import { provideTestPrograms, wrongSkips } from "./test-programs.mjs";

const isShort = process.argv.includes("--short");

installIfNeeded({ development: true });
buildDashboardIfNeeded();
const { present } = await provideTestPrograms(testFiles());
const s3 = present.has("ceph") ? {} : undefined;
const s3AndRedis = present.has("redis-server") ? s3 : undefined;

/** These choose their own stores, read SQLite's file, or test what no store changes. */
const STORE_SPECIFIC =
  /^test\/(full-disk|config|cli|doctor|x-accel|freshness|dependencies|deploy|upgrade|quotas-stored|lifetimes-clock|wrong-clock)\.test\.ts$/;
/** The subjects of the short form: all that reads and writes files and folders. */
const SHORT =
  /^test\/(upload|upload-conflicts|upload-faults|download|hosting|ranges|files-list|folders-browse|folders-change|folders-delete|rename|moves|delete|batch-delete|concurrency|restart-durability|search|changes|zip|auth-keys|scoped-keys|scope-outside|scope-inside|scope-folder|scope-operations|settings|workers)\.test\.ts$/;

/** The tests of what several processes of one server must agree on. */
const SHORT_IN_WORKERS =
  /^test\/(upload|hosting|delete|concurrency|restart-durability|changes|auth-keys|scoped-keys|settings|workers)\.test\.ts$/;

/** Tests that do fewer iterations in `npm test`. */
const LONG_FORMS = [
  ...["e2e/accessibility.", "e2e/link-pages.", "e2e/uploads.", "test/import-bucket."],
  ...["server/catalog/sqlite/contract-trash.", "server/catalog/sqlite/contract-quotas."],
];

const api = testFiles(["test/"]).filter((path) => path.startsWith("test/"));
const onAnyStore = api.filter(
  (path) =>
    path.split("/").length === 2 &&
    !isPastOneMachine(path) &&
    !STORE_SPECIFIC.test(path) &&
    (!isShort || SHORT.test(path)),
);
const inWorkers = isShort ? api.filter((path) => SHORT_IN_WORKERS.test(path)) : api;

const onPostgres = { HOLDALL_TEST_CATALOG: "postgres" };
const onPostgresAndS3 = s3 && { ...onPostgres, HOLDALL_TEST_BLOBS: "s3" };

const catalogRound = (major) => [
  `catalog on PostgreSQL ${major}`,
  () => providePostgres(major),
  testFiles(["server/catalog/postgres/", "test/postgres."]),
];
/** The short form has these in the round of the oldest PostgreSQL already. */
const CATALOG_SUITES = "server/catalog/postgres/contract-";
const serversRound = [
  "PostgreSQL, S3, Redis",
  () => s3AndRedis,
  testFiles().filter(
    (path) => isPastOneMachine(path) && !(isShort && path.startsWith(CATALOG_SUITES)),
  ),
];
const [oldest = ""] = postgresVersions;

/** Title, environment (undefined if its programs are missing), files. */
const shortRounds = [
  catalogRound(oldest),
  serversRound,
  ["API: PostgreSQL, S3", () => onPostgresAndS3, onAnyStore],
  ["API: two processes each", () => ({ TEST_WORKERS: "2" }), inWorkers],
];
const allRounds = [
  ["stores: SQLite, disk", () => ({}), testFiles(["server/catalog/sqlite/", "server/blobs/disk/"])],
  serversRound,
  ...postgresVersions.map(catalogRound),
  ["long forms", () => ({ HOLDALL_LONG_TESTS: "1" }), testFiles(LONG_FORMS)],
  ["API: SQLite, disk", () => ({}), onAnyStore],
  ["API: PostgreSQL, disk", () => onPostgres, onAnyStore],
  ["API: PostgreSQL, S3", () => onPostgresAndS3, onAnyStore],
  ["API: two processes each", () => ({ TEST_WORKERS: "2" }), inWorkers],
];

const outcomes = [];
for (const [title, environment, files] of isShort ? shortRounds : allRounds) {
  outcomes.push(await runRound(title, environment(), files));
}

async function runRound(title, env, files) {
  if (env === undefined) {
    const failures = [{ title, message: "a program is missing" }];
    return { title, passed: 0, failed: 1, skipped: 0, failures, verdict: "FAILED" };
  }
  console.log(`\n${title}`);
  const from = performance.now();
  const results = await runTests(files, env);
  const { passed, skipped, reasons, unstable } = results;
  const wrong = wrongSkips(reasons, present);
  const failed = results.failed + wrong.length;
  for (const { title } of unstable) console.log(`Unstable, passed when it ran again: ${title}`);
  const seconds = Math.round((performance.now() - from) / 1000);
  const verdict = failed === 0 && passed > 0 ? "passed" : "FAILED";
  const failures = [...results.failures, ...wrong].map((failure) => ({
    ...failure,
    title: `${title}: ${failure.title}`,
  }));
  return { title, passed, failed, skipped, seconds, failures, verdict };
}

const row = (...[title, passed, failed, skipped, seconds, verdict]) =>
  `${title.padEnd(28)} ${[passed, failed, skipped, seconds].map((cell) => String(cell ?? "–").padStart(8)).join("")}  ${verdict}`;
console.log(`\n${row("Round", "Passed", "Failed", "Skipped", "Seconds", "Verdict")}`);
for (const { title, passed, failed, skipped, seconds, verdict } of outcomes) {
  console.log(row(title, passed, failed, skipped, seconds, verdict));
}
const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
const failures = outcomes.flatMap((outcome) => outcome.failures);
if (failures.length > 0) console.log(listFailures(failures));
process.exit(outcomes.every(({ verdict }) => verdict === "passed") ? 0 : 1);
