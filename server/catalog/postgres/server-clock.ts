import type { Millis } from "../../domain/records.ts";

/** The clock of the database server, which all servers of an instance share. */
export interface ServerClock {
  now(): Millis;
  /** Call with each time that the server tells, and with when it was asked by the clock of this machine. */
  note(told: Millis, sentAt: Millis): void;
}

/** In milliseconds since 1970. */
export const SERVER_TIME = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";

/** A step of one clock, or the two running apart, shows at the next note. */
export function createServerClock(machineNow: () => Millis = Date.now): ServerClock {
  let ahead = 0;
  return {
    now: () => machineNow() + ahead,
    note(told, sentAt) {
      // It told the time at some moment between the question and now. What may still be right stays.
      ahead = Math.min(Math.max(ahead, told - machineNow()), told - sentAt);
    },
  };
}
