import type { ConflictDecision, Item } from "./item.ts";

export type Queue = readonly Item[];

/** Changes the matching items; returns the same queue if none match. */
function change(queue: Queue, matches: (item: Item) => boolean, to: (item: Item) => Item): Queue {
  let changed = false;
  const next = queue.map((item) => {
    if (!matches(item)) return item;
    changed = true;
    return to(item);
  });
  return changed ? next : queue;
}

export type Ids = ReadonlySet<number>;

const isOneOf =
  (ids: Ids, ...states: Item["state"][]) =>
  (item: Item): boolean =>
    ids.has(item.id) && states.includes(item.state);

export const start = (queue: Queue, ids: Ids): Queue =>
  change(queue, isOneOf(ids, "waiting"), (item) => ({ ...item, state: "sending", sent: 0 }));

export interface Sent {
  readonly sent: number;
  readonly speed: number | undefined;
}

export const progress = (queue: Queue, sent: ReadonlyMap<number, Sent>): Queue =>
  change(
    queue,
    (item) => item.state === "sending" && sent.has(item.id),
    (item) => ({ ...item, ...sent.get(item.id) }),
  );

/** Marks sent items as done, except those in `taken`, whose names are taken. */
export const finish = (queue: Queue, ids: Ids, taken: Ids): Queue =>
  change(queue, isOneOf(ids, "sending"), (item) =>
    taken.has(item.id)
      ? { ...item, state: "taken", sent: 0, speed: undefined }
      : { ...item, state: "done", sent: item.size, speed: undefined },
  );

export const fail = (queue: Queue, ids: Ids, message: string): Queue =>
  change(queue, isOneOf(ids, "sending", "waiting"), (item) => ({
    ...item,
    state: "failed",
    sent: 0,
    speed: undefined,
    message,
  }));

/** Puts items back to waiting, with notes for the next attempt. */
export const putBack = (queue: Queue, ids: Ids, changes: Partial<Item> = {}): Queue =>
  change(queue, isOneOf(ids, "sending"), (item) => ({
    ...item,
    state: "waiting",
    sent: 0,
    speed: undefined,
    ...changes,
  }));

const isPending = ({ state }: Item): boolean =>
  state === "waiting" || state === "sending" || state === "taken";

export const cancel = (queue: Queue, ids: Ids | "all"): Queue =>
  change(
    queue,
    (item) => isPending(item) && (ids === "all" || ids.has(item.id)),
    (item) => ({ ...item, state: "cancelled", sent: 0, speed: undefined }),
  );

/** Queues failed, cancelled or skipped items again; "failed" means all failed ones. */
export const retry = (queue: Queue, ids: Ids | "failed"): Queue =>
  change(
    queue,
    (item) =>
      ids === "failed"
        ? item.state === "failed"
        : ids.has(item.id) && ["failed", "cancelled", "skipped"].includes(item.state),
    (item) => ({ ...item, state: "waiting", message: undefined, interruptions: 0 }),
  );

/** Applies the user's decision to items whose names are taken. */
export function decide(queue: Queue, ids: Ids | "all", decision: ConflictDecision | "skip"): Queue {
  return change(
    queue,
    (item) => item.state === "taken" && (ids === "all" || ids.has(item.id)),
    (item) =>
      decision === "skip"
        ? { ...item, state: "skipped" }
        : // The server refuses to replace a folder.
          { ...item, state: "waiting", decision },
  );
}
