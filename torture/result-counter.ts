import type { Findings } from "./check-server.ts";
import type { Row } from "./trial.ts";

/** Counts what the tries of one fault found. */
export interface ResultCounter {
  /** One try, and what it found. `what` says how to see it again. */
  count(what: string, findings: Findings): void;
  /** A broken promise that is neither a loss nor a leftover. */
  problem(what: string): void;
  row(note?: string): Row;
}

/** So many problems are told in full: more of them say no more. */
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
