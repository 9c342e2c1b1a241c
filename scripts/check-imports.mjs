// Checks imports: each room lists what it may import, and there are no import cycles, not even of
// types. Tests, fixtures and suites may import anything.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "./install.mjs";

/** The one room that knows Bun, and files that know it for a reason. */
const RUNTIME = "server/runtime";
const KNOW_BUN = [
  // Reads a counter of SQLite's from shared memory: 1.8 µs less for each hosted GET (decision 19).
  "server/catalog/sqlite/commit-counter.ts",
];
/** Every room of the server may import these rooms. They do no I/O, and `lib` knows nothing of Holdall. */
const RULES = ["contract/text", "server/domain", "server/semantics", "server/lib"];
const PORTS = ["server/catalog/port", "server/blobs/port.ts", "server/limits/port.ts"];
const SERVICES = [
  "access",
  "feed",
  "fetches",
  "files",
  "health",
  "images",
  "insight",
  "links",
  "metrics",
  "objects",
  "settings",
  "uploads",
  "webhooks",
].map((room) => `server/${room}`);
/** Open the catalog and the blob store that the configuration chooses. */
const DRIVERS = [
  "server/catalog/driver.ts",
  "server/catalog/drivers.ts",
  "server/catalog/move-port.ts",
  "server/blobs/driver.ts",
  "server/blobs/drivers.ts",
];

/**
 * Lists the rooms, single files and packages that each room may import besides itself. Every room of the server
 * except those of `RULES`, which do no I/O, may import the built-in modules of Node and `server/runtime`.
 */
const ALLOWED = {
  contract: [
    "zod",
    "lowlight",
    "mdast-util-from-markdown",
    "mdast-util-gfm",
    "micromark-extension-gfm",
    // Appear only in examples.
    "@holdall/sdk/logo",
    "@holdall/sdk/people",
    "@holdall/sdk/quotas",
  ],
  sdk: ["contract"],
  react: ["sdk/src/upload-only.ts", "react"],
  dashboard: [
    "sdk/src/holdall.ts",
    // Without uploads, which are loaded with the first files.
    "sdk/src/base-client.ts",
    "sdk/src/webhooks-only.ts",
    "sdk/src/logo.ts",
    "sdk/src/people.ts",
    "sdk/src/quotas.ts",
    "sdk/src/undo.ts",
    "sdk/src/connection/error.ts",
    "sdk/src/uploads/dropped-files.ts",
    // Texts, which the SDK exports, too.
    "contract/activity.ts",
    "contract/key-actions.ts",
    "contract/max-changed-files.ts",
    "@holdall/sdk",
    "contract/documents",
    "contract/pictures",
    "contract/text",
    // Appears only in an example.
    "@aws-sdk/client-s3",
    "@simplewebauthn/browser",
    "@tanstack/react-query",
    "@tanstack/react-virtual",
    "@zip.js/zip.js",
    "lucide-react",
    "minisearch",
    "pdfjs-dist",
    "react",
    "react-dom",
    "uqr",
    "wouter",
  ],
  "server/lib": ["server/runtime/sleep.ts", "node:crypto", "node:zlib"],
  "server/domain": ["contract/text", "server/lib", "node:crypto", "mime"],
  "server/semantics": [
    "contract/text",
    "server/domain",
    "server/lib",
    "node:crypto",
    "node:zlib",
    "content-disposition",
    "structured-headers",
  ],
  "server/fs": [],
  "server/catalog": [...RULES, "server/fs", "kysely", "pg"],
  "server/blobs": [...RULES, "server/fs"],
  "server/limits": [...RULES, "ipaddr.js"],
  "server/outgoing": ["server/limits/ip-address.ts", "ipaddr.js"],
  "server/redis": [
    ...RULES,
    "server/limits/port.ts",
    "server/access/password-throttle.ts",
    "@redis/client",
  ],
  "server/access": [
    ...RULES,
    "server/catalog/port",
    "server/outgoing",
    "@simplewebauthn/server",
    "oauth4webapi",
    "reflect-metadata",
  ],
  "server/settings": ["contract", ...RULES, "server/catalog/port"],
  "server/feed": [...RULES, "server/catalog/port"],
  "server/webhooks": [
    ...RULES,
    "server/access/find-scope.ts",
    "server/access/sealer.ts",
    "server/feed",
    "server/outgoing",
    ...PORTS,
  ],
  "server/insight": [...RULES, ...PORTS],
  "server/files": [...RULES, ...PORTS, "zod"],
  "server/health": [...RULES, "server/files", "server/insight", ...PORTS, "zod"],
  "server/metrics": [...RULES, "server/feed", "server/health", "server/insight", ...PORTS, "pino"],
  "server/images": [...RULES, "server/files", ...PORTS],
  "server/fetches": [...RULES, "server/outgoing", "server/uploads", ...PORTS],
  "server/uploads": [...RULES, "server/files", ...PORTS],
  "server/links": [...RULES, "server/access", "server/files", "server/uploads", ...PORTS],
  "server/objects": [...RULES, "server/files", ...PORTS],
  "server/transfer": [
    ...RULES,
    "server/fs",
    "server/files",
    "server/objects/object-service.ts",
    ...PORTS,
    "server/catalog/move-port.ts",
    // The client of the S3 store also reads buckets that are imported.
    "server/blobs/s3/read-body.ts",
    "server/blobs/s3/s3-client.ts",
    "server/blobs/s3/s3-error.ts",
    "server/blobs/s3/s3-settings.ts",
    "server/blobs/s3/xml.ts",
  ],
  "server/http": [
    "contract",
    ...RULES,
    "server/limits",
    "server/blobs/port.ts",
    ...SERVICES,
    "zod",
    "@modelcontextprotocol/server",
    // Appears only in an example in the API reference.
    "@holdall/sdk",
  ],
  "server/config": [
    "contract",
    ...RULES,
    "server/access/oidc/oidc-settings.ts",
    "server/blobs/drivers.ts",
    "server/blobs/s3/s3-settings.ts",
    "server/catalog/drivers.ts",
    "server/limits/trusted-proxies.ts",
    "server/limits/ip-address.ts",
    "server/outgoing/allow-list.ts",
    "server/redis/redis-settings.ts",
    "zod",
  ],
  "server/workers": [
    "contract",
    ...RULES,
    "server/limits/port.ts",
    "server/access",
    "server/config",
    "server/health",
    "server/instance",
    "server/metrics",
    "server/log.ts",
  ],
  "server/instance": [
    "contract",
    ...RULES,
    "server/fs",
    ...PORTS,
    ...DRIVERS,
    "server/blobs/disk/disk.ts",
    "server/blobs/small-blob-cache.ts",
    "server/catalog/sqlite/checkpoint-file.ts",
    "server/catalog/sqlite/folder-lock.ts",
    "server/limits",
    "server/redis",
    ...SERVICES,
    "server/config",
    "server/transfer",
    "server/log.ts",
  ],
  "server/terminal": ["server/transfer/progress.ts"],
  // Knows a server only through its API.
  cli: [
    "sdk/src/holdall.ts",
    "sdk/src/dry-run.ts",
    "sdk/src/quotas.ts",
    "sdk/src/undo.ts",
    ...RULES,
    "server/config/config.ts",
    "server/config/parse-units.ts",
    "server/config/read-remote-server.ts",
    "server/terminal",
    "server/transfer/progress.ts",
  ],
  "server/commands": [
    "contract",
    "cli",
    "server/terminal",
    ...RULES,
    "server/fs",
    ...PORTS,
    ...DRIVERS,
    ...SERVICES,
    "server/redis",
    "server/limits",
    "server/config",
    "server/instance",
    "server/transfer",
    "server/workers",
    // Runs in a process of its own.
    "server/http/links/render-text.ts",
    // Of the import of a bucket.
    "server/blobs/s3/s3-error.ts",
    "server/blobs/s3/s3-settings.ts",
    "server/app.ts",
    "server/log.ts",
    "server/version.ts",
  ],
  "server/version.ts": ["package.json"],
  "server/log.ts": ["server/config", "server/lib/pipe-buf.ts", "pino"],
  "server/app.ts": [
    ...RULES,
    "server/outgoing",
    "server/fs/volume.ts",
    "server/limits/trusted-proxies.ts",
    ...SERVICES,
    "server/config",
    "server/http",
    "server/instance",
    "server/workers",
    "server/log.ts",
    "server/version.ts",
  ],
  "server/main.ts": ["server/commands", "server/config"],
};

const tracked = spawnSync(
  "git",
  [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "contract",
    "server",
    "cli",
    "sdk/src",
    "dashboard/src",
  ],
  { cwd: root, encoding: "utf8" },
);
const sources = tracked.stdout
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|suite|fixture)\.ts$|\/suite\//.test(file));

/** The room of a file: its top folder, or the folder or file directly below `server`. */
function roomOf(file) {
  const [top, second] = file.split("/");
  return top === "server" ? `server/${second}` : top;
}

/** The imports of a file: paths from the root, or package names. */
function importsOf(file) {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(/(?:^|[\s;}(])(?:from|import)\s*\(?\s*["']([^"'\s,]+)["']/g);
  return [...found].map(([, target]) =>
    target.startsWith(".") ? normalize(join(dirname(file), target)) : target,
  );
}

const isBelow = (target, allowed) => target === allowed || target.startsWith(`${allowed}/`);

const knowsBun = (file) => isBelow(file, RUNTIME) || KNOW_BUN.includes(file);

const usesBun = (file) =>
  /^(server|cli)\//.test(file) &&
  /^(?!\s*(?:\*|\/[/*])).*\bBun\./m.test(readFileSync(join(root, file), "utf8"));

const mistakes = [];
const graph = new Map();
for (const file of sources) {
  const room = roomOf(file);
  const imports = importsOf(file);
  graph.set(file, imports);
  for (const target of imports) {
    const builtIn = RULES.includes(room) ? [] : [RUNTIME];
    const allowed = [room, ...builtIn, ...(ALLOWED[room] ?? [])];
    const isOfNode = target.startsWith("node:") && !RULES.includes(room);
    const isOfBun = /^bun(:|$)/.test(target) && knowsBun(file);
    if (isOfNode || isOfBun || allowed.some((each) => isBelow(target, each))) continue;
    mistakes.push(`${file} imports ${target}, which ${room} may not.`);
  }
  if (usesBun(file) && !knowsBun(file)) mistakes.push(`${file} uses Bun: only ${RUNTIME} may.`);
}

/** Reports each cycle once, at the import that closes it. */
function findCycles() {
  const done = new Set();
  const path = [];
  function visit(file) {
    const at = path.indexOf(file);
    if (at >= 0) mistakes.push(`Import cycle: ${[...path.slice(at), file].join(" → ")}`);
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of graph.get(file) ?? []) if (graph.has(target)) visit(target);
    path.pop();
    done.add(file);
  }
  for (const file of graph.keys()) visit(file);
}
findCycles();

if (sources.length === 0) mistakes.push("No sources were found: is this a git checkout?");
for (const mistake of mistakes) console.error(mistake);
if (mistakes.length > 0)
  console.error("The table of allowed imports is in scripts/check-imports.mjs.");
process.exit(mistakes.length === 0 ? 0 : 1);
