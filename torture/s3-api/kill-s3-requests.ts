import { describePoint, type KillPoint, killAt, pointsOf, recordAll } from "../kill/kill-points.ts";
import { retryMissedKill } from "../kill/retry-missed-kill.ts";
import { tryPoints } from "../kill/try-points.ts";
import { withWarmServer } from "../kill/with-warm-server.ts";
import { createResultCounter, type ResultCounter } from "../result-counter.ts";
import { AFTERMATH_MS } from "../resumable/upload-points.ts";
import { sampleEvenly } from "../sample-evenly.ts";
import { attachTracer } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";
import { recoverS3 } from "./recover-s3.ts";
import { connectS3 } from "./s3-client.ts";
import { type S3Scenario, s3Scenarios } from "./s3-scenarios.ts";
import type { S3Seed } from "./s3-seed.ts";

/** Scenarios of a short run, which takes another one at random each time. */
const SHORT_SCENARIOS = 1;
/**
 * kill -9 at every system call that changes a file during every changing request of the S3 API. Every
 * other time, the clients come back and complete everything; otherwise it expires.
 */
export async function killS3Requests(seed: S3Seed, scale: Scale): Promise<Row[]> {
  const rows: Row[] = [];
  const chosen = sampleEvenly(s3Scenarios, scale.tries(s3Scenarios.length, SHORT_SCENARIOS));
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

async function recordPoints(seed: S3Seed, scenario: S3Scenario): Promise<KillPoint[]> {
  return await withWarmServer(seed, async (server, warm, context) => {
    const trace = await attachTracer(server.pid, recordAll);
    const answer = await scenario.act(connectS3(server, seed.credentials), warm);
    if (answer.status !== scenario.status) {
      throw new Error(`${scenario.name}: ${answer.status} ${answer.text}`);
    }
    await Bun.sleep(AFTERMATH_MS);
    const points = pointsOf(trace.calls(), context);
    await trace.detach();
    if (points.length === 0) throw new Error(`${scenario.name} changed no file.`);
    return points;
  });
}

interface Kill {
  readonly seed: S3Seed;
  readonly scenario: S3Scenario;
  readonly point: KillPoint;
  readonly completes: boolean;
  readonly results: ResultCounter;
}

/** Returns whether the server was killed at the point. */
async function killAndCheck(kill: Kill): Promise<boolean> {
  const { scenario, results } = kill;
  const what = describePoint(kill.point);
  const outcome = await retryMissedKill(() => killOnce(kill));
  const { wasHit, status, lost, extra, leftovers, problems } = outcome;
  if (status !== null && status !== scenario.status) {
    results.problem(`${what}: the response was ${status}.`);
  }
  for (const problem of problems) results.problem(`${what}: ${problem}`);
  if (wasHit) results.count(what, { lost, extra, leftovers });
  return wasHit;
}

async function killOnce({ seed, scenario, point, completes }: Kill) {
  return await withWarmServer(seed, async (server, warm, context) => {
    const trace = await attachTracer(server.pid, killAt(point, context));
    const status = await scenario.act(connectS3(server, seed.credentials), warm).then(
      (answer) => answer.status,
      () => null,
    );
    const limit = status === null ? 2_000 : AFTERMATH_MS;
    const wasHit = await Promise.race([
      server.exited.then(() => true),
      Bun.sleep(limit).then(() => false),
    ]);
    await server.kill();
    await trace.detach();
    const found = await recoverS3({
      dataPath: server.dataPath,
      seed: warm,
      scenario,
      completes,
      succeeded: status === scenario.status,
    });
    return { wasHit, status, ...found };
  });
}
