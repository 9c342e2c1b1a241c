import { between } from "./dice.ts";
import { leftoversAfterStop } from "./leftovers.ts";
import { startVictim } from "./server.ts";
import type { Row } from "./trial.ts";
import { audit } from "./writers/audit.ts";
import { createVisitor } from "./writers/visitor.ts";
import { createWriter } from "./writers/writer.ts";

const WRITERS = 16;
const VISITORS = 16;
/** Who is told to end gets so long from whoever runs servers, in milliseconds. */
const MOST_STOP = 30_000;

/**
 * SIGTERM while 32 write and read, and go on as long as they are let: what was acknowledged is
 * there, no answer that began is cut, and nothing is left for the next start to clear away.
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
    fault: "told to end under load",
    tries: rounds,
    lost,
    leftovers,
    problems,
    note: `${answered} answers whole; ended within ${Math.round(slowest)} ms`,
  };

  /** Gives back how long it took. */
  async function stopOnce(round: number): Promise<number> {
    const server = await startVictim(dataPath);
    try {
      let isOver = false;
      const course = { isOver: () => isOver, isDark: () => false };
      const running = Promise.all(all.map((client) => client.run(server, course)));
      await Bun.sleep(between(500, 2_000));
      isOver = true;
      const from = performance.now();
      const code = await server.stop();
      const milliseconds = performance.now() - from;
      await running;
      if (code !== 0) problems.push(`Round ${round}: it ended with ${code}.`);
      if (milliseconds > MOST_STOP) problems.push(`Round ${round}: ${milliseconds} ms to its end.`);
      note(leftoversAfterStop(dataPath), []);
      await look();
      return milliseconds;
    } finally {
      await server.kill();
    }
  }

  async function look(): Promise<void> {
    const server = await startVictim(dataPath);
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
