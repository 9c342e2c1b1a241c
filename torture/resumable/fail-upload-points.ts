import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import { checkServer, type Findings } from "../check-server.ts";
import { describePoint, failAt, type KillPoint } from "../kill/kill-points.ts";
import { ATTEMPTS_AT_ONCE } from "../kill/try-points.ts";
import { withWarmServer } from "../kill/with-warm-server.ts";
import { createResultCounter } from "../result-counter.ts";
import { sampleEvenly } from "../sample-evenly.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { attachTracer } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import { completeAll } from "./complete-all.ts";
import { leftAfterExpiry } from "./expire.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import type { UploadSeed } from "./seed.ts";
import { recordPoints } from "./upload-points.ts";

const CALLS = /^p?write|sync$|^f?truncate$|^fallocate$/;
const ERRORS = ["EIO", "ENOSPC"] as const;
/** Points of a short run, of each error. */
const SHORT_POINTS = 4;

/**
 * Each write and each sync of every PATCH fails once, with a broken disk's error and with the error of a full
 * one. The response is no success, and the client continues at the offset: on the same server after a failed
 * write, on the next one after a failed sync, because the server never repeats that.
 */
export async function failUploadPoints(seed: UploadSeed, scale: Scale): Promise<Row[]> {
  const all: Case[] = [];
  for (const scenario of scenarios.filter(({ name }) => name.includes("PATCH"))) {
    const points = await recordPoints(seed, scenario);
    all.push(
      ...points.filter(({ call }) => CALLS.test(call)).map((point) => ({ scenario, point })),
    );
  }
  const rows: Row[] = [];
  for (const error of ERRORS) rows.push(await failEach(seed, all, error, scale));
  return rows;
}

interface Case {
  readonly scenario: Scenario;
  readonly point: KillPoint;
}

async function failEach(
  seed: UploadSeed,
  all: readonly Case[],
  error: (typeof ERRORS)[number],
  scale: Scale,
): Promise<Row> {
  const results = createResultCounter(`${error}, each write of a PATCH`);
  const counts = { refused: 0, ended: 0, unharmed: 0 };
  const chosen = sampleEvenly(all, scale.tries(all.length, SHORT_POINTS));
  await forEachConcurrently(chosen, ATTEMPTS_AT_ONCE, async (one) => {
    const what = `${one.scenario.name}, ${describePoint(one.point)}`;
    try {
      const { outcome, findings } = await failOnce(seed, one, error);
      counts[outcome] += 1;
      results.count(what, findings);
    } catch (cause) {
      results.problem(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  });
  const { refused, ended, unharmed } = counts;
  if (refused === 0) results.problem("No request met an error.");
  scale.progress(`${error}: ${JSON.stringify(counts)}`);
  return results.row(`${refused} refused, ${ended} ended the server, ${unharmed} unharmed`);
}

/** What the catalog cannot write is an unexpected error, unless the disk is full. */
const refusalsAt = ({ place }: KillPoint): readonly number[] =>
  place.startsWith("catalog.") ? [500, 503, 507] : [503, 507];

interface Outcome {
  /** "unharmed": the request succeeded, because the work could do without the call. */
  readonly outcome: "refused" | "ended" | "unharmed";
  readonly findings: Findings;
}

async function failOnce(
  seed: UploadSeed,
  { scenario, point }: Case,
  error: (typeof ERRORS)[number],
): Promise<Outcome> {
  return await withWarmServer(seed, async (server, warm, context) => {
    const trace = await attachTracer(server.pid, failAt(point, context, error));
    const answer = await scenario.act(server, warm).catch(() => null);
    const hasEnded = await endsSoon(server, answer === null);
    await trace.detach();
    const succeeded = answer?.status === scenario.status;
    if (answer !== null && !succeeded && !refusalsAt(point).includes(answer.status)) {
      throw new Error(`the response was ${answer.status} ${answer.text}`);
    }
    const isSync = point.call.endsWith("sync");
    if (isSync && !hasEnded) await server.stop();
    const next = hasEnded || isSync ? await startServer(server.dataPath) : server;
    try {
      const findings = await complete(next, warm, scenario, succeeded);
      // A write that failed halfway looks like damage to the log, of which the next start keeps a copy.
      const leftovers = findings.leftovers.filter(
        (each) => !(hasEnded && each === "quarantine is in the data folder."),
      );
      const outcome = hasEnded ? "ended" : succeeded ? "unharmed" : "refused";
      return { outcome, findings: { ...findings, leftovers } };
    } finally {
      await next.kill();
    }
  });
}

/** Checks what is visible, completes everything on this server, and lets the rest expire. */
async function complete(
  server: ServerProcess,
  warm: UploadSeed,
  scenario: Scenario,
  succeeded: boolean,
): Promise<Findings> {
  const before = warm.inventory;
  const after = scenario.after?.(before, warm) ?? before;
  // A commit whose response failed may have happened.
  const found = await checkServer(server, ...(succeeded ? [after] : [before, after]));
  const { inventory, broken } = await completeAll(server, warm, scenario, succeeded);
  const end = await checkServer(server, inventory);
  const code = await server.stop();
  if (code !== 0) throw new Error(`the stop afterwards exited with ${code}.`);
  return {
    lost: [...found.lost, ...broken, ...end.lost],
    extra: [...found.extra, ...end.extra],
    leftovers: [...found.leftovers, ...end.leftovers, ...(await leftAfterExpiry(server.dataPath))],
  };
}

/** A server that gives up needs a moment to exit. */
const endsSoon = (server: ServerProcess, isCut: boolean): Promise<boolean> =>
  Promise.race([server.exited.then(() => true), Bun.sleep(isCut ? 2_000 : 200).then(() => false)]);
