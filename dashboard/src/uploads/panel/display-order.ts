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

/** Sorts for display: active items and those that need the user first, finished ones last. */
export function displayOrder(queue: Queue): Item[] {
  const groups: Item[][] = [[], [], [], [], [], []];
  for (const item of queue) groups[RANK[item.state]]?.push(item);
  groups[5]?.reverse();
  return groups.flat();
}
