// Counts wording that readers have to translate, in texts and names of files, and fails on it. A help, not a judge: a sentence
// can pass and still be odd. Where a pattern is right, the file is listed with it.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

/** Lists phrases that must not come back. */
const OLD_WORDING = "dashboard/src/text/wording.test.ts";

/** Each pattern, what to write in its place, and the files in which it is right. */
const PATTERNS = [
  {
    pattern: /\bwho(m?ever|m)\b/gi,
    instead: "name the actor: the client, the caller, the process",
    allowed: [OLD_WORDING],
  },
  { pattern: /\b(?:un)?told\b/gi, instead: "reported, logged, returned, asked to …" },
  {
    pattern: /\bso many\b/gi,
    instead: "a number, a count, at most n",
    allowed: [OLD_WORDING],
  },
  {
    pattern: /\bof nobody\b|\bnobody(?:'s| knows| else)\b/gi,
    instead: "orphaned, unowned, no process …",
  },
  { pattern: /\bthat there (?:is|are|was|were)\b/gi, instead: "all the …, the existing …" },
  {
    pattern: /\bMOST_[A-Z]+|\bLEAST_[A-Z]+|\b(?:FEWEST|LONGEST|SHORTEST)_[A-Z]+/g,
    instead: "MAX_… or MIN_…",
  },
  { pattern: /patience/gi, instead: "timeoutMs" },
  {
    pattern: /\b(?:un)?settle[sd]?\b|\bsettling\b|\bsettle[A-Z]\w*/g,
    instead: "flush, fsync, commit, resolve, reply",
  },
  { pattern: /deeds?\b/gi, instead: "rpc, methods, actions" },
  { pattern: /\bcrowd\w*/gi, instead: "clients, load, aggregator" },
  { pattern: /\bcensus\b/gi, instead: "statistics" },
  { pattern: /\btwins?\b|Twins?\b/g, instead: "duplicate" },
  {
    pattern: /ballast/gi,
    instead: "disk reserve",
    // The file's name on the disk.
    allowed: [
      "server/catalog/sqlite/disk-reserve.ts",
      "test/full-disk.test.ts",
      "torture/leftovers.ts",
    ],
  },
  { pattern: /\bbegun\b/gi, instead: "started, startedAt" },
  { pattern: /\b(?:to|can|could|may|might) be had\b/gi, instead: "available" },
  { pattern: /\bbed\b|[a-z]Bed\b|\bBed\b/g, instead: "fixture, setup" },
  {
    pattern: /\bhow it stands\b|\bof one's own\b|\bever other\b|\bhereby\b|\bis no good\b/gi,
    instead: "say it plainly",
  },
  {
    pattern: /\bfor good\b(?! (?:reasons?|measure)\b)/gi,
    instead: "permanently",
    allowed: ["scripts/check-language.mjs", OLD_WORDING],
  },
  { pattern: /\b(?:for|For)Good\b|(?:for|For)Good(?=[A-Z])|for-good\b/g, instead: "permanently" },
  { pattern: /\b(?:lets?|letting) go of\b/gi, instead: "release, close" },
];

const FILES = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .stdout.split("\0")
  .filter((file) =>
    /\.(?:tsx?|mjs|md|css|html|ya?ml|json|service|conf)$|(?:^|\/)(?:Dockerfile|Caddyfile)/.test(
      file,
    ),
  )
  .filter(
    (file) => !/^(?:package-lock\.json|openapi\.json|scripts\/check-language\.mjs)$/.test(file),
  );

let count = 0;
for (const file of FILES) {
  const lines = [file, ...readFileSync(join(root, file), "utf8").split("\n")];
  for (const [number, line] of lines.entries()) {
    for (const { pattern, instead, allowed = [] } of PATTERNS) {
      if (allowed.includes(file)) continue;
      for (const [found] of line.matchAll(pattern)) {
        count += 1;
        console.error(`${file}:${number}: "${found}". Write instead: ${instead}.`);
      }
    }
  }
}
if (FILES.length === 0) console.error("No files were found: is this a git checkout?");
if (count > 0)
  console.error(
    `${count} places read as translated; scripts/check-language.mjs lists the patterns.`,
  );
process.exit(count === 0 && FILES.length > 0 ? 0 : 1);
