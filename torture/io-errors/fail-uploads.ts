import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { checkServer } from "../check-server.ts";
import { errorInjectionArgs } from "../error-injection.ts";
import { emptyInventory, type Inventory, withFile } from "../inventory.ts";
import { readInventory } from "../read-inventory.ts";
import { createResultCounter, type ResultCounter } from "../result-counter.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { attachToThreads, type Trace } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import { type Bundle, upload, withAnswer, withBundle } from "../uploads.ts";

/** One kind of disk error. */
export interface ErrorScenario {
  readonly name: string;
  /** The affected threads: those that store blobs, or the catalog writer. */
  readonly threads: "Bun Pool" | "Worker";
  readonly calls: readonly string[];
  readonly from: number;
  readonly every: number;
}

const CONCURRENCY = 4;
/**
 * The minimum share of uploads that must meet an error, so that the trial proves something. In a
 * short run a single shared commit can make the difference, so one upload is enough.
 */
const MIN_SHARE = { whole: 0.08, short: 0.01 } as const;
const SIZES = [0, 1, 5_000, 100_000, 300_000];

/**
 * Makes uploads while every n-th call of a kind fails with EIO, and restarts a server that exits. A
 * final server must have exactly the acknowledged files; those without a response may exist or not.
 */
export async function failUploads(
  scenario: ErrorScenario,
  uploads: number,
  scale: Scale,
): Promise<Row> {
  const results = createResultCounter(scenario.name);
  const folder = temporaryFolder();
  const counts = { kept: 0, refused: 0, cut: 0, restarts: 0 };
  let [inventory, pending] = [emptyInventory, emptyInventory];
  let server = await startServer(join(folder, "data"), { env: { LOG_LEVEL: "silent" } });
  let trace = await injectErrors(server, scenario);
  try {
    for (let number = 0; number < uploads; number += CONCURRENCY) {
      if (!server.isAlive()) {
        await trace.detach();
        counts.restarts += 1;
        server = await startServer(server.dataPath, { env: { LOG_LEVEL: "silent" } });
        trace = await injectErrors(server, scenario);
      }
      const bundles = Array.from({ length: CONCURRENCY }, (_, at) => bundleOf(number + at));
      const outcomes = await Promise.all(
        bundles.map((bundle) => tryUpload(server, bundle, results)),
      );
      for (const [at, outcome] of outcomes.entries()) {
        const bundle = bundles[at] ?? new Map();
        counts[outcome.kind] += 1;
        if (outcome.kind === "kept") inventory = outcome.add(inventory);
        if (outcome.kind === "cut") pending = withBundle(pending, bundle);
      }
      // An exiting server needs a moment.
      if (outcomes.some(({ kind }) => kind === "cut")) await Bun.sleep(100);
    }
    await trace.detach();
    await server.kill();
    server = await startServer(server.dataPath);
    const description = `${uploads} uploads`;
    const expected = withWhatIsThere(inventory, pending, await readInventory(server));
    const findings = await checkServer(server, expected);
    // A write that failed halfway looks like damage to the log, of which the next start keeps a copy.
    const isExpected = (each: string): boolean =>
      scenario.threads === "Worker" && each === "quarantine is in the data folder.";
    const leftovers = findings.leftovers.filter((each) => !isExpected(each));
    results.count(description, { ...findings, leftovers });
    scale.progress(`${scenario.name}: ${JSON.stringify(counts)}`);
    const { kept, refused, cut, restarts } = counts;
    const share = (refused + cut) / uploads;
    if (share < scale.tries(MIN_SHARE.whole, MIN_SHARE.short))
      results.problem(`Only ${Math.round(share * 100)} % met an error.`);
    const row = results.row(`${kept} kept, ${refused} refused, ${cut} cut, ${restarts} restarts`);
    return { ...row, tries: uploads };
  } finally {
    await trace.detach();
    await server.kill();
    removeFolder(folder);
  }
}

const injectErrors = (
  server: ServerProcess,
  { threads, calls, from, every }: ErrorScenario,
): Promise<Trace> =>
  attachToThreads(server.pid, threads, errorInjectionArgs({ calls, error: "EIO", from, every }));

function bundleOf(number: number): Bundle {
  const size = SIZES[number % SIZES.length] ?? 0;
  return new Map([[`folder-${number % 7}/file-${number}.bin`, seededBytes(number, size)]]);
}

type Outcome =
  | { readonly kind: "kept"; readonly add: (inventory: Inventory) => Inventory }
  | { readonly kind: "refused" | "cut" };

async function tryUpload(
  server: ServerProcess,
  bundle: Bundle,
  results: ResultCounter,
): Promise<Outcome> {
  const answer = await upload(server, bundle).catch(() => null);
  if (answer === null) return { kind: "cut" };
  if (answer.status === 200) {
    return { kind: "kept", add: (inventory) => withAnswer(inventory, bundle, answer) };
  }
  if (answer.status < 500) results.problem(`An upload got ${answer.status} ${answer.text}`);
  return { kind: "refused" };
}

/** Adds those uploads without a response that exist. */
function withWhatIsThere(inventory: Inventory, pending: Inventory, seen: Inventory): Inventory {
  let all = inventory;
  for (const [key, file] of pending.files) {
    if (seen.files.has(key)) all = withFile(all, key, file);
  }
  return all;
}
