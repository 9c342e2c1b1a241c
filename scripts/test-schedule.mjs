import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

/** Seconds that each file took in the last run here. */
const durationsFile = join(root, "node_modules", ".cache", "test-seconds.json");
/** About how many seconds the longest files take, for the first run here. */
const LONGEST = `
71 e2e/accessibility
60 test/failures/failures
43 e2e/uploads-resume
33 test/migrate
29 e2e/uploads
27 server/catalog/postgres/contract-lists
24 test/s3-faults
24 e2e/link-pages
23 e2e/uploads-folders
22 server/catalog/postgres/contract-objects
20 server/catalog/postgres/contract-files
20 server/access/accounts
18 server/catalog/sqlite/contract-lists
17 test/s3
16 e2e/preview
15 test/export-import
15 packaging/npm/holdall-package
14 e2e/link-drop
13 e2e/activity
13 server/catalog/postgres/contract-uploads
13 e2e/active-files
13 test/activity
13 e2e/trash
12 server/catalog/sqlite/contract-objects
12 test/hostile/secrets
12 e2e/uppy
11 test/instances
11 server/catalog/postgres/frozen-server
11 e2e/keys
11 e2e/files
11 test/cli
11 server/catalog/postgres/processes
11 sdk/src/package
11 packaging/npm/cli-package
10 test/verify
10 server/blobs/s3/s3
10 e2e/settings
10 server/http/multipart/properties
10 server/catalog/sqlite/commit-counter
10 test/cli-remote
9 test/workers
9 server/catalog/sqlite/folder-lock
9 test/folders-change
9 e2e/sign-in
9 test/folders-create
9 test/uploads-processes
9 test/frozen-dependencies
9 server/catalog/sqlite/processes
9 server/catalog/sqlite/contract-uploads
9 e2e/folders
9 e2e/preview-keyboard
8 test/upgrade
8 test/backup
8 test/large-batch
8 server/files/upload/blob-id-allocator
8 test/scope-operations
8 e2e/preview-touch
8 e2e/bulk-changes
8 e2e/preview-text
8 test/changes
7 test/full-disk
6 packaging/npm/sdk-package
6 packaging/third-party
7 server/catalog/postgres/locks
7 e2e/touch
7 server/catalog/postgres/contract-others
7 test/changes-memory
7 server/http/api/store-upload-form
7 test/hostile/limited-key
7 sdk/src/uploads/upload-file
7 test/cli-get
7 server/files/verify/scrub
7 e2e/live-changes
7 server/access/passwords
7 sdk/src/uploads/upload-folder
7 test/hostile/accounts
7 test/startup-refused
7 e2e/preview-zoom
7 server/catalog/sqlite/damage
7 e2e/overview
6 server/http/links/link-routes
6 e2e/search-results
6 server/catalog/postgres/contract-trash
5 test/startup
5 test/moves
5 test/auth-account
5 server/catalog/sqlite/find-log-damage
5 server/catalog/sqlite/contract-files
5 e2e/sharing
4 test/uploads-interrupted
4 test/upload-faults
4 test/lost-records
4 test/executable
4 server/lib/circuit-breaker
4 server/files/verify/verify
4 e2e/versions
4 e2e/upload-urls
4 e2e/downloads
4 test/link-pages
4 test/link-gallery
4 e2e/keyboard
`;
const longest = Object.fromEntries(
  [...LONGEST.matchAll(/(\d+) (\S+)/g)].map(([, seconds, name]) => [
    `${name}.test.ts`,
    Number(seconds),
  ]),
);
/**
 * These run at the end, group by group: they test a promise that is a time, such as how long the
 * server may take to answer while a dependency is frozen. The tests of the first group wait for timeouts
 * of seconds, with seconds to spare, so they run side by side; the other group compares milliseconds.
 */
const IN_TIME = [
  [
    "server/catalog/postgres/frozen-in-time.test.ts",
    "test/frozen-in-time.test.ts",
    "test/s3-silence.test.ts",
  ],
  ["test/redis-loss.test.ts"],
];

/**
 * The files that may run side by side, the longest first, and the groups that must run after all
 * others.
 */
export function scheduleTests(files) {
  const durations = readDurations();
  const seconds = (file) => durations[file] ?? longest[file] ?? 1;
  const sorted = files.toSorted((a, b) => seconds(b) - seconds(a));
  return {
    together: sorted.filter((file) => !IN_TIME.flat().includes(file)),
    groups: IN_TIME.map((group) => group.filter((file) => files.includes(file))),
  };
}

/** Remembers the seconds `[file, seconds]` of a run for the next one. */
export function rememberDurations(durations) {
  mkdirSync(join(durationsFile, ".."), { recursive: true });
  const text = JSON.stringify({ ...readDurations(), ...Object.fromEntries(durations) });
  writeFileSync(durationsFile, text);
}

function readDurations() {
  try {
    return JSON.parse(readFileSync(durationsFile, "utf8"));
  } catch {
    return {};
  }
}
