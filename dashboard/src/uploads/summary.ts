import type { Item, ItemState } from "./item.ts";
import type { Queue } from "./queue.ts";

export interface Summary {
  readonly count: Readonly<Record<ItemState, number>>;
  /** Items that are stored or still to be uploaded. */
  readonly wanted: number;
  /** Total bytes of these, and the bytes sent so far. */
  readonly size: number;
  readonly sent: number;
  /** Items are being sent or will be, without the user. */
  readonly isRunning: boolean;
  /** The first item whose name is taken. */
  readonly taken: Item | undefined;
}

/** Summarizes the queue. */
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
