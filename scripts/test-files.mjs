import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const FOLDERS = [
  "contract",
  "server",
  "cli",
  "sdk",
  "react",
  "dashboard",
  "test",
  "torture",
  "bench",
  "packaging",
  "e2e",
];
const IGNORED = /(^|\/)(node_modules|dist)\//;

/**
 * The browser tests of `npm test`: the main paths of files, sharing and accounts. Chromium takes more
 * processor time than all other tests together, so the rest run with `npm test -- --other-pages`.
 */
const MAIN_PATHS = [
  ...["files", "uploads", "preview", "search", "trash", "sharing", "sign-in", "keyboard"],
  "first-view",
].map((name) => `e2e/${name}.test.ts`);

/**
 * Tests past one machine, of PostgreSQL, S3 servers and Redis. They run with `npm run test:cluster`, and
 * with its short form: those servers take a while to install, and a fourth of all processor time.
 */
const PAST_ONE_MACHINE =
  /^server\/(catalog\/(postgres|move)|blobs\/s3|redis)\/|-(s3|postgres)\.test|^test\/(frozen-dependencies|frozen-in-time|images-stores|import-bucket|idempotency-servers|instances|migrate|lifetimes-servers|passkeys-servers|postgres|redis|redis-loss|refused-reads|s3|s3-faults|s3-silence|s3-storm|standby|uploads-processes|uploads-servers)\.test/;

/** The test files of `npm test`: of a server on one machine. */
export function quickTestFiles() {
  const files = testFiles();
  const missing = MAIN_PATHS.filter((path) => !files.includes(path));
  if (missing.length > 0) throw new Error(`MAIN_PATHS names files that are gone: ${missing}`);
  return files
    .filter((path) => !path.startsWith("e2e/") || MAIN_PATHS.includes(path))
    .filter((path) => !isPastOneMachine(path));
}

/** The browser tests that `quickTestFiles` leaves out. */
export const otherBrowserTestFiles = () =>
  testFiles().filter((path) => path.startsWith("e2e/") && !MAIN_PATHS.includes(path));

export const isPastOneMachine = (path) => PAST_ONE_MACHINE.test(path);

/** Every test file whose path contains one of the patterns; all without patterns. */
export function testFiles(patterns = []) {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  )
    .filter((path) => /\.test\.tsx?$/.test(path) && !IGNORED.test(path))
    .filter((path) => patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)))
    .sort();
}
