import { type KillPoint, pointsOf, recordAll } from "../kill/kill-points.ts";
import { withWarmServer } from "../kill/with-warm-server.ts";
import { attachTracer } from "../tracer.ts";
import type { Scenario } from "./scenarios.ts";
import type { UploadSeed } from "./seed.ts";

/** By then the work after the response, such as the removal of blobs, is done. */
export const AFTERMATH_MS = 400;

/** Every system call that changes a file during the request of a scenario. */
export async function recordPoints(seed: UploadSeed, scenario: Scenario): Promise<KillPoint[]> {
  return await withWarmServer(seed, async (server, _, context) => {
    const trace = await attachTracer(server.pid, recordAll);
    const { status, text } = await scenario.act(server, seed);
    if (status !== scenario.status) throw new Error(`${scenario.name}: ${status} ${text}`);
    await Bun.sleep(AFTERMATH_MS);
    const points = pointsOf(trace.calls(), context);
    await trace.detach();
    if (points.length === 0) throw new Error(`${scenario.name} changed no file.`);
    return points;
  });
}
