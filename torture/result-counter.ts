import type { Findings } from "./check-server.ts";
import type { Row } from "./trial.ts";

/** Adds up the results of one fault's tries. */
export interface ResultCounter {
  /** Adds one try. `what` says how to reproduce it. */
  count(what: string, findings: Findings): void;
  /** Adds a failure that is neither a loss nor a leftover. */
  problem(what: string): void;
  row(note?: string): Row;
}

const MAX_REPORTED = 20;

export function createResultCounter(fault: string): ResultCounter {
  const problems: string[] = [];
  let tries = 0;
  let lost = 0;
  let leftovers = 0;

  return {
    count(what, findings) {
      tries += 1;
      lost += findings.lost.length;
      leftovers += findings.leftovers.length + findings.extra.length;
      for (const finding of [...findings.lost, ...findings.extra, ...findings.leftovers]) {
        problems.push(`${what}: ${finding}`);
      }
    },
    problem: (what) => void problems.push(what),
    row(note) {
      const omitted = problems.length - MAX_REPORTED;
      const reported = problems.slice(0, MAX_REPORTED);
      if (omitted > 0) reported.push(`and ${omitted} more`);
      return {
        fault,
        tries,
        lost,
        leftovers,
        problems: reported,
        ...(note === undefined ? {} : { note }),
      };
    },
  };
}
