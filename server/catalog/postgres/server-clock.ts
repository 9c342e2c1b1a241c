import type { Millis } from "../../domain/records.ts";

/** The clock of the database server, which all servers of an instance share. */
export interface ServerClock {
  now(): Millis;
  /** Call with each time that the server tells, and with the `elapsed` when it was asked. */
  note(told: Millis, sentAt: number): void;
}

/** In milliseconds since 1970. */
export const SERVER_TIME = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";

/** Milliseconds of a clock of this process that nobody can set. */
export const elapsed = (): number => performance.now();

/**
 * Runs on by `elapsed` between two notes, so this machine's time of day counts only until the first one. A
 * step of the server's clock shows at the next note.
 */
export function createServerClock(elapsedNow: () => number = elapsed): ServerClock {
  let start = Date.now() - elapsedNow();
  return {
    now: () => Math.floor(start + elapsedNow()),
    note(told, sentAt) {
      // It told the time at some moment between the question and now. What may still be right stays.
      start = Math.min(Math.max(start, told - elapsedNow()), told - sentAt);
    },
  };
}
