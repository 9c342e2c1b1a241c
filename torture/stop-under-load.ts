import { findLeftoversAfterStop } from "./leftovers.ts";
import { randomInt } from "./random.ts";
import { startServer } from "./server-process.ts";
import type { Row } from "./trial.ts";
import { audit } from "./writers/audit.ts";
import { createVisitor } from "./writers/visitor.ts";
import { createWriter } from "./writers/writer.ts";

const WRITERS = 16;
const VISITORS = 16;
/** Service managers kill a server that needs longer to stop, in milliseconds. */
const MAX_STOP_MS = 30_000;

/**
 * SIGTERM while 32 clients write and read: every acknowledged change is there, no response is
 * truncated, and nothing is left for the next start to clean up.
 */
export async function stopUnderLoad(
  dataPath: string,
  rounds: number,
  progress: (text: string) => void,
): Promise<Row> {
  const problems: string[] = [];
  const onProblem = (problem: string) => problems.push(problem);
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    createWriter(`writer-${at}`, onProblem),
  );
  const visitors = Array.from({ length: VISITORS }, (_, at) =>
    createVisitor(`visitor-${at}`, onProblem),
  );
  const all = [...writers, ...visitors];
  let [lost, leftovers, slowest] = [0, 0, 0];
  for (let round = 1; round <= rounds && problems.length < 20; round += 1) {
    slowest = Math.max(slowest, await stopOnce(round));
    if (round % 5 === 0) progress(`${round} stops`);
  }
  const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
  const answered = visitors.reduce((sum, visitor) => sum + visitor.answered, acknowledged);
  return {
    fault: "SIGTERM under load",
    tries: rounds,
    lost,
    leftovers,
    problems,
    note: `${answered} complete responses; stopped within ${Math.round(slowest)} ms`,
  };

  /** Returns the duration of the stop in milliseconds. */
  async function stopOnce(round: number): Promise<number> {
    const server = await startServer(dataPath);
    try {
      let isStopping = false;
      const control = { mayFail: () => isStopping, ignoresResponses: () => false };
      const running = Promise.all(all.map((client) => client.run(server, control)));
      await Bun.sleep(randomInt(500, 2_000));
      isStopping = true;
      const from = performance.now();
      const code = await server.stop();
      const stopMs = performance.now() - from;
      await running;
      if (code !== 0) problems.push(`Round ${round}: the server exited with ${code}.`);
      if (stopMs > MAX_STOP_MS) problems.push(`Round ${round}: the stop took ${stopMs} ms.`);
      note(findLeftoversAfterStop(dataPath), []);
      await auditRestart();
      return stopMs;
    } finally {
      await server.kill();
    }
  }

  async function auditRestart(): Promise<void> {
    const server = await startServer(dataPath);
    try {
      const found = await audit(server, all);
      note(found.leftovers, found.lost);
      await server.stop();
    } finally {
      await server.kill();
    }
  }

  function note(left: readonly string[], gone: readonly string[]): void {
    leftovers += left.length;
    lost += gone.length;
    problems.push(...left, ...gone);
  }
}
