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

/** One way in which the disk fails. */
export interface ErrorScenario {
  readonly name: string;
  /** The threads it befalls: those that store bytes, or the one that writes the catalog. */
  readonly threads: "Bun Pool" | "Worker";
  readonly calls: readonly string[];
  readonly from: number;
  readonly every: number;
}

const CONCURRENCY = 4;
/**
 * Of the uploads, each illness must befall so many; all of them together about a fifth. In a short
 * run, where a few that share a commit make all the difference, one is enough.
 */
const MIN_SHARE = { whole: 0.08, short: 0.01 } as const;
const SIZES = [0, 1, 5_000, 100_000, 300_000];

/**
 * Uploads while every so-manieth call of a kind fails with EIO, until so many have been made. A
 * server that gives up is started again. At the end another is started, and holds exactly what
 * was acknowledged; of what was neither acknowledged nor refused, it may hold any.
 */
export async function failUploads(
  scenario: ErrorScenario,
  uploads: number,
  scale: Scale,
): Promise<Row> {
  const tally = createResultCounter(scenario.name);
  const folder = temporaryFolder();
  const counts = { kept: 0, refused: 0, cut: 0, restarts: 0 };
  let [holdings, pending] = [emptyInventory, emptyInventory];
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
      const outcomes = await Promise.all(bundles.map((bundle) => tryUpload(server, bundle, tally)));
      for (const [at, outcome] of outcomes.entries()) {
        const bundle = bundles[at] ?? new Map();
        counts[outcome.kind] += 1;
        if (outcome.kind === "kept") holdings = outcome.add(holdings);
        if (outcome.kind === "cut") pending = withBundle(pending, bundle);
      }
      // A server that has given up needs a moment to be gone.
      if (outcomes.some(({ kind }) => kind === "cut")) await Bun.sleep(100);
    }
    await trace.detach();
    await server.kill();
    server = await startServer(server.dataPath);
    const description = `${uploads} uploads`;
    tally.count(
      description,
      await checkServer(server, withWhatIsThere(holdings, pending, await readInventory(server))),
    );
    scale.progress(`${scenario.name}: ${JSON.stringify(counts)}`);
    const { kept, refused, cut, restarts } = counts;
    const share = (refused + cut) / uploads;
    if (share < scale.tries(MIN_SHARE.whole, MIN_SHARE.short))
      tally.problem(`Only ${Math.round(share * 100)} % met an error.`);
    const row = tally.row(`${kept} kept, ${refused} refused, ${cut} cut, ${restarts} restarts`);
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
  | { readonly kind: "kept"; readonly add: (holdings: Inventory) => Inventory }
  | { readonly kind: "refused" | "cut" };

async function tryUpload(
  server: ServerProcess,
  bundle: Bundle,
  tally: ResultCounter,
): Promise<Outcome> {
  const answer = await upload(server, bundle).catch(() => null);
  if (answer === null) return { kind: "cut" };
  if (answer.status === 200) {
    return { kind: "kept", add: (holdings) => withAnswer(holdings, bundle, answer) };
  }
  if (answer.status < 500) tally.problem(`An upload got ${answer.status} ${answer.text}`);
  return { kind: "refused" };
}

/** The ledger with those uploads whose answer never came and that are there, whole or not. */
function withWhatIsThere(holdings: Inventory, pending: Inventory, seen: Inventory): Inventory {
  let all = holdings;
  for (const [key, file] of pending.files) {
    if (seen.files.has(key)) all = withFile(all, key, file);
  }
  return all;
}
