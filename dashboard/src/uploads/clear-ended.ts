import { isActive } from "./group.ts";
import { summaryOf } from "./summary.ts";
import type { Work } from "./work.ts";

/** Whether uploads run, or wait for the user. */
export function hasPending({ items, groups }: Work): boolean {
  const { isRunning, count } = summaryOf(items, groups);
  return isRunning || count.paused > 0 || count.taken > 0 || groups.some(isActive);
}

/** Empties the queue, and hides what was interrupted, which can still be continued. */
export function clearEnded(work: Work): void {
  const ended = work.groups.filter(({ state }) => state !== "interrupted");
  const endedIds = new Set(ended.map(({ id }) => id));
  work.groups = work.groups.filter(({ id }) => !endedIds.has(id));
  work.items = work.items.filter(({ group, state }) =>
    group === undefined ? state === "interrupted" : !endedIds.has(group),
  );
  work.isHidden = true;
  work.visibility = undefined;
  work.expiresIn = undefined;
  work.publish();
}
