import { send } from "../test/client.ts";
import { startAndKill, startServer } from "./server-process.ts";
import type { Row } from "./trial.ts";

/** The refusal may take this much longer than a successful start, in milliseconds. */
const MAX_EXTRA_MS = 1_000;
const REASON = /Another Holdall already serves the data folder/;

/**
 * A second server on a data folder refuses to start and gives the reason; the first one keeps
 * serving.
 */
export async function startSecond(dataPath: string, rounds: number): Promise<Row> {
  const problems: string[] = [];
  const taken: number[] = [];
  const server = await startServer(dataPath);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const from = performance.now();
      const second = await startAndKill(dataPath);
      const milliseconds = performance.now() - from;
      taken.push(milliseconds);
      const { status } = await send(server, "GET", "/api/health");
      if (second.served) problems.push("The second server started.");
      if (!REASON.test(second.output))
        problems.push(`It did not give the reason: ${second.output}`);
      if (milliseconds > server.startMs + MAX_EXTRA_MS)
        problems.push(`It refused only after ${Math.round(milliseconds)} ms.`);
      if (status !== 200) problems.push(`The first server then responded with ${status}.`);
    }
  } finally {
    await server.kill();
  }
  taken.sort((a, b) => a - b);
  const [median, slowest] = [taken[Math.floor(rounds / 2)], taken[rounds - 1]];
  return {
    fault: "a second server on the data folder",
    tries: rounds,
    lost: 0,
    leftovers: 0,
    problems,
    note: `refused after ${Math.round(median ?? 0)} ms, ${Math.round(slowest ?? 0)} ms at most`,
  };
}
