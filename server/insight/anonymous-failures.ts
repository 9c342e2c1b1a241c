import type { NewActivity } from "../rules/activity.ts";
import type { Millis } from "../rules/records.ts";

/**
 * Failures of strangers. Some of an hour are told one by one; of more, each with another name or
 * from another address, only how many there were: else anybody could fill the disk with them.
 */
export interface AnonymousFailureAggregator {
  /** Whether it was taken, to be told together with others. */
  take(event: Omit<NewActivity, "at">): boolean;
  /** What was taken since the last time, a row for each action and status. */
  leave(): NewActivity[];
}

const TOLD_AN_HOUR = 240;
const HOUR = 3600 * 1000;

export function createAnonymousFailureAggregator(now: () => Millis): AnonymousFailureAggregator {
  let gathered = new Map<string, NewActivity>();
  let hour = 0;
  let told = 0;

  function isTold(): boolean {
    const current = Math.floor(now() / HOUR);
    if (current !== hour) told = 0;
    hour = current;
    told += 1;
    return told <= TOLD_AN_HOUR;
  }

  return {
    take(event) {
      if (event.outcome !== "failed" || event.actor.kind !== "none" || isTold()) return false;
      const kind = `${event.action} ${event.status}`;
      const earlier = gathered.get(kind);
      const times = Number(earlier?.detail.times ?? 0) + 1;
      const first = earlier ?? { ...event, address: null, subject: null, at: now() };
      gathered.set(kind, { ...first, detail: { ...first.detail, times } });
      return true;
    },
    leave() {
      const rows = [...gathered.values()];
      gathered = new Map();
      return rows;
    },
  };
}
