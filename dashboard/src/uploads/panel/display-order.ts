import type { Group, GroupState, Groups } from "../group.ts";
import type { Item, ItemState } from "../item.ts";
import type { Queue } from "../queue.ts";

/** A row of the panel: a file, or a folder with all its files. */
export type Row =
  | { readonly kind: "item"; readonly item: Item }
  | { readonly kind: "group"; readonly group: Group };

const ITEM_RANK: Readonly<Record<ItemState, number>> = {
  sending: 0,
  taken: 1,
  failed: 2,
  paused: 3,
  interrupted: 3,
  waiting: 4,
  cancelled: 5,
  skipped: 5,
  done: 6,
};

const GROUP_RANK: Readonly<Record<GroupState, number>> = {
  reading: 0,
  checking: 0,
  opening: 0,
  sending: 0,
  committing: 0,
  taken: 1,
  failed: 2,
  interrupted: 3,
  cancelled: 5,
  done: 6,
};

/** Sorts for display: active ones and those that need the user first, finished ones last, as they were sent. */
export function displayOrder(queue: Queue, groups: Groups): Row[] {
  const ranks: Row[][] = [[], [], [], [], [], [], []];
  for (const group of groups) ranks[GROUP_RANK[group.state]]?.push({ kind: "group", group });
  for (const item of queue) {
    if (item.group === undefined) ranks[ITEM_RANK[item.state]]?.push({ kind: "item", item });
  }
  return ranks.flat();
}
