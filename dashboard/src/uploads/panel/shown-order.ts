import type { Item, ItemState } from "../item.ts";
import type { Queue } from "../queue.ts";

const RANK: Readonly<Record<ItemState, number>> = {
  sending: 0,
  taken: 1,
  failed: 2,
  waiting: 3,
  cancelled: 4,
  skipped: 4,
  done: 5,
};

/** What goes on and what needs somebody first, what is done last; each in the order it came. */
export function shownOrder(queue: Queue): Item[] {
  const groups: Item[][] = [[], [], [], [], [], []];
  for (const item of queue) groups[RANK[item.state]]?.push(item);
  groups[5]?.reverse();
  return groups.flat();
}
