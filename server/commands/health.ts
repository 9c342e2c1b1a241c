import type { Config } from "../config/config.ts";
import { reachable } from "./reachable.ts";
import { UsageError } from "./usage-error.ts";

const PATIENCE_MS = 10_000;

/**
 * `health`: asks the server that runs with this configuration on this machine whether it can serve,
 * for containers that have no other program. Prints its answer; 0: yes, 1: no, or nobody answers.
 */
export async function healthCommand(config: Config, rest: readonly string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError("`health` takes nothing else.");
  const url = `http://${reachable(config.host)}:${config.port}/api/health/ready`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    console.log(await answer.text());
    return answer.ok ? 0 : 1;
  } catch (cause) {
    console.error(`No answer from ${url}: ${cause instanceof Error ? cause.message : cause}`);
    return 1;
  }
}
