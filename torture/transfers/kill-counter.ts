import type { Row } from "../trial.ts";
import type { Ended } from "./command.ts";

export type KillCounter = ReturnType<typeof createKillCounter>;

/** Adds up the results of one row. */
export function createKillCounter(fault: string) {
  const lost: string[] = [];
  const leftovers: string[] = [];
  const problems: string[] = [];
  let tries = 0;
  let killed = 0;
  return {
    lost,
    leftovers,
    problems,
    countTry(wasKilled: boolean): void {
      tries += 1;
      if (wasKilled) killed += 1;
    },
    expectSuccess(ended: Ended): void {
      if (ended.code !== 0)
        problems.push(`Exited with ${ended.code}: ${ended.output.slice(0, 500)}`);
    },
    row: (): Row => ({
      fault,
      tries,
      lost: lost.length,
      leftovers: leftovers.length,
      problems: [...problems, ...lost.slice(0, 10), ...leftovers.slice(0, 10)],
      note: `${killed} killed during the work`,
    }),
  };
}
