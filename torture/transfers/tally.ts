import type { Row } from "../trial.ts";
import type { Ended } from "./command.ts";

export type Tally = ReturnType<typeof createTally>;

/** Counts up one row. */
export function createTally(fault: string) {
  const lost: string[] = [];
  const left: string[] = [];
  const problems: string[] = [];
  let tries = 0;
  let killed = 0;
  return {
    lost,
    left,
    problems,
    tried(wasKilled: boolean): void {
      tries += 1;
      if (wasKilled) killed += 1;
    },
    expectEnd(ended: Ended): void {
      if (ended.code !== 0)
        problems.push(`Ended with ${ended.code}: ${ended.output.slice(0, 500)}`);
    },
    row: (): Row => ({
      fault,
      tries,
      lost: lost.length,
      leftovers: left.length,
      problems: [...problems, ...lost.slice(0, 10), ...left.slice(0, 10)],
      note: `${killed} of them hit the work`,
    }),
  };
}
