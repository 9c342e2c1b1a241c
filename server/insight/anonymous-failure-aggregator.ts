import type { NewActivity } from "../domain/activity.ts";
import type { Millis } from "../domain/records.ts";

/**
 * Limits the audit rows of failed requests without credentials. The first failures of an hour get a
 * row each; the rest are only counted, because anybody could otherwise fill the disk by varying the
 * name or the address.
 */
export interface AnonymousFailureAggregator {
  /** Counts the event. false: it is no anonymous failure, or gets a row of its own. */
  add(event: Omit<NewActivity, "at">): boolean;
  /** Returns what was counted since the last call: one row per action and status. */
  drain(): NewActivity[];
}

const MAX_ROWS_PER_HOUR = 240;
const HOUR = 3600 * 1000;

export function createAnonymousFailureAggregator(now: () => Millis): AnonymousFailureAggregator {
  let aggregates = new Map<string, NewActivity>();
  let hour = 0;
  let failuresInHour = 0;

  function hasRowLeft(): boolean {
    const current = Math.floor(now() / HOUR);
    if (current !== hour) failuresInHour = 0;
    hour = current;
    failuresInHour += 1;
    return failuresInHour <= MAX_ROWS_PER_HOUR;
  }

  return {
    add(event) {
      if (event.outcome !== "failed" || event.actor.kind !== "none" || hasRowLeft()) return false;
      const kind = `${event.action} ${event.status}`;
      const earlier = aggregates.get(kind);
      const times = Number(earlier?.detail.times ?? 0) + 1;
      const first = earlier ?? { ...event, address: null, subject: null, at: now() };
      aggregates.set(kind, { ...first, detail: { ...first.detail, times } });
      return true;
    },
    drain() {
      const rows = [...aggregates.values()];
      aggregates = new Map();
      return rows;
    },
  };
}
