import { checkServer } from "../check-server.ts";
import { describePoint, type KillPoint, killAt } from "../kill/kill-points.ts";
import { retryMissedKill } from "../kill/retry-missed-kill.ts";
import { tryPoints } from "../kill/try-points.ts";
import { withWarmServer } from "../kill/with-warm-server.ts";
import { createResultCounter, type ResultCounter } from "../result-counter.ts";
import { sampleEvenly } from "../sample-evenly.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { attachTracer } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import { completeAll } from "./complete-all.ts";
import { leftAfterExpiry } from "./expire.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import type { UploadSeed } from "./seed.ts";
import { AFTERMATH_MS, recordPoints } from "./upload-points.ts";

/** Scenarios of a short run, chosen at random. */
const SHORT_SCENARIOS = 3;

/**
 * kill -9 at every system call that changes a file during every request of resumable uploads and
 * batches. Every other time, the clients come back and complete everything; otherwise it expires.
 */
export async function killUploads(seed: UploadSeed, scale: Scale): Promise<Row[]> {
  const rows: Row[] = [];
  const chosen = sampleEvenly(scenarios, scale.tries(scenarios.length, SHORT_SCENARIOS));
  for (const scenario of chosen) {
    const all = await recordPoints(seed, scenario);
    const results = createResultCounter(`kill -9, ${scenario.name}`);
    const { tried, hit } = await tryPoints(all, scale.tries(all.length, 1), (point, at) =>
      killAndCheck({ seed, scenario, point, completes: at % 2 === 0, results }),
    );
    rows.push(results.row(`${hit} of ${all.length} points hit`));
    scale.progress(`${scenario.name}: ${tried} points, ${tried - hit} not hit`);
  }
  return rows;
}

interface Kill {
  readonly seed: UploadSeed;
  readonly scenario: Scenario;
  readonly point: KillPoint;
  /** Whether the clients come back; otherwise everything expires. */
  readonly completes: boolean;
  readonly results: ResultCounter;
}

/** Returns whether the server was killed at the point. */
async function killAndCheck(kill: Kill): Promise<boolean> {
  const what = describePoint(kill.point);
  const outcome = await retryMissedKill(() => killOnce(kill));
  const { wasHit, status, lost, extra, leftovers, problems } = outcome;
  if (status !== null && status !== kill.scenario.status) {
    kill.results.problem(`${what}: the response was ${status}.`);
  }
  for (const problem of problems) kill.results.problem(`${what}: ${problem}`);
  if (wasHit) kill.results.count(what, { lost, extra, leftovers });
  return wasHit;
}

async function killOnce({ seed, scenario, point, completes }: Kill) {
  return await withWarmServer(seed, async (server, warm, context) => {
    const trace = await attachTracer(server.pid, killAt(point, context));
    const status = await scenario.act(server, seed).then(
      (answer) => answer.status,
      () => null,
    );
    const wasHit = await endsWithin(server, status === null ? 2_000 : AFTERMATH_MS);
    await server.kill();
    await trace.detach();
    const found = await recoverUploads({
      dataPath: server.dataPath,
      seed: warm,
      scenario,
      completes,
      succeeded: status === scenario.status,
    });
    return { wasHit, status, ...found };
  });
}

interface UploadRecovery {
  readonly dataPath: string;
  readonly seed: UploadSeed;
  readonly scenario: Scenario;
  readonly succeeded: boolean;
  readonly completes: boolean;
}

/** Starts a server where another was killed, and checks everything that is promised about uploads. */
async function recoverUploads({ dataPath, seed, scenario, succeeded, completes }: UploadRecovery) {
  const server = await startServer(dataPath);
  try {
    const before = seed.inventory;
    const after = scenario.after?.(before, seed) ?? before;
    const found = await checkServer(server, ...(succeeded ? [after] : [before, after]));
    const lost = [...found.lost];
    const extra = [...found.extra];
    const leftovers = [...found.leftovers];
    if (completes) {
      const { inventory, broken } = await completeAll(server, seed, scenario, succeeded);
      const end = await checkServer(server, inventory);
      lost.push(...broken, ...end.lost);
      extra.push(...end.extra);
      leftovers.push(...end.leftovers);
    }
    const code = await server.stop();
    leftovers.push(...(await leftAfterExpiry(dataPath)));
    const problems = code === 0 ? [] : [`the clean stop afterwards exited with ${code}.`];
    return { lost, extra, leftovers, problems };
  } finally {
    await server.kill();
  }
}

const endsWithin = (server: ServerProcess, limit: number): Promise<boolean> =>
  Promise.race([server.exited.then(() => true), Bun.sleep(limit).then(() => false)]);
