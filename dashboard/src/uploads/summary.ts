import type { Item, ItemState } from "./item.ts";
import type { Queue } from "./queue.ts";

export interface Summary {
  readonly count: Readonly<Record<ItemState, number>>;
  /** Those that somebody still wants, or that are stored. */
  readonly wanted: number;
  /** Bytes of these, and how many of them are with the server. */
  readonly size: number;
  readonly sent: number;
  /** Something is under way, or will be without anybody's help. */
  readonly isRunning: boolean;
  /** The first whose name is taken. */
  readonly taken: Item | undefined;
}

/** How it stands with everything in the queue. */
export function summaryOf(queue: Queue): Summary {
  const count = {
    waiting: 0,
    sending: 0,
    done: 0,
    taken: 0,
    failed: 0,
    skipped: 0,
    cancelled: 0,
  };
  let size = 0;
  let sent = 0;
  let taken: Item | undefined;
  for (const item of queue) {
    count[item.state] += 1;
    if (item.state === "skipped" || item.state === "cancelled") continue;
    if (item.state === "taken") taken ??= item;
    if (item.state === "failed") continue;
    size += item.size;
    sent += item.sent;
  }
  return {
    count,
    wanted: count.waiting + count.sending + count.done + count.taken,
    size,
    sent,
    isRunning: count.waiting + count.sending > 0,
    taken,
  };
}
