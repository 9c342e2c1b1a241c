import type { Visibility } from "../../../sdk/src/holdall.ts";
import { type ConflictDecision, type Item, isPending } from "./item.ts";

export type Queue = readonly Item[];

/** Changes the matching items; returns the same queue if none match. */
export function change(
  queue: Queue,
  matches: (item: Item) => boolean,
  to: (item: Item) => Item,
): Queue {
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
  (ids: Ids | "all", ...states: Item["state"][]) =>
  (item: Item): boolean =>
    (ids === "all" || ids.has(item.id)) && states.includes(item.state);

/** The progress while nothing is being sent: the bytes that the server has. */
const keptBytes = ({ url, sent }: Item): number => (url === undefined ? 0 : sent);

export const start = (queue: Queue, ids: Ids): Queue =>
  change(queue, isOneOf(ids, "waiting"), (item) => ({
    ...item,
    state: "sending",
    sent: keptBytes(item),
    message: undefined,
  }));

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

/** The server has an upload URL for the file. */
export const addUrl = (queue: Queue, id: number, url: string): Queue =>
  change(
    queue,
    (item) => item.id === id,
    (item) => ({ ...item, url }),
  );

/** The results of items that were sent. */
export interface Outcome {
  /** The items whose names were taken. All other items are stored. */
  readonly taken: Ids;
  /** The keys of stored files that got another name. */
  readonly keys?: ReadonlyMap<number, string> | undefined;
  /** When the items replaced other files: `updatedAt` of the stored files. */
  readonly replacedAt?: ReadonlyMap<number, string> | undefined;
  /** Something to say about the stored file. */
  readonly message?: string | undefined;
}

/** Marks sent items as done, or as taken. */
export function finish(queue: Queue, ids: Ids, outcome: Outcome): Queue {
  const { taken, keys, replacedAt, message } = outcome;
  return change(queue, isOneOf(ids, "sending"), (item) =>
    taken.has(item.id)
      ? { ...item, state: "taken", sent: 0, speed: undefined }
      : {
          ...item,
          state: "done",
          sent: item.size,
          speed: undefined,
          url: undefined,
          message,
          storedKey: keys?.get(item.id),
          replacedAt: replacedAt?.get(item.id),
        },
  );
}

/** The replacements of these items have been undone. */
export const undone = (queue: Queue, ids: Ids): Queue =>
  change(queue, isOneOf(ids, "done"), (item) => ({ ...item, replacedAt: undefined }));

export const nameVisibility = (queue: Queue, ids: Ids, visibility: Visibility | undefined): Queue =>
  change(queue, isOneOf(ids, "done"), (item) => ({ ...item, visibility }));

export const fail = (queue: Queue, ids: Ids, message: string): Queue =>
  change(queue, isOneOf(ids, "sending", "waiting"), (item) => ({
    ...item,
    state: "failed",
    sent: keptBytes(item),
    speed: undefined,
    message,
  }));

/** Puts items back to waiting, with notes for the next attempt. */
export const putBack = (queue: Queue, ids: Ids, changes: Partial<Item> = {}): Queue =>
  change(queue, isOneOf(ids, "sending"), (item) => ({
    ...item,
    state: "waiting",
    sent: keptBytes(item),
    speed: undefined,
    ...changes,
  }));

/** Pauses items. An upload that the server has a part of keeps it. */
export const pause = (queue: Queue, ids: Ids | "all"): Queue =>
  change(queue, isOneOf(ids, "waiting", "sending"), (item) => ({
    ...item,
    state: "paused",
    sent: keptBytes(item),
    speed: undefined,
    mayBeStored: item.mayBeStored || item.state === "sending",
  }));

export const resume = (queue: Queue, ids: Ids | "all"): Queue =>
  change(queue, isOneOf(ids, "paused"), (item) => ({ ...item, state: "waiting" }));

export const cancel = (queue: Queue, ids: Ids | "all"): Queue =>
  change(
    queue,
    (item) => isPending(item) && (ids === "all" || ids.has(item.id)),
    (item) => ({ ...item, state: "cancelled", sent: 0, speed: undefined, url: undefined }),
  );

/** Queues failed, cancelled or skipped items again; "failed" means all failed ones. */
export const retry = (queue: Queue, ids: Ids | "failed"): Queue =>
  change(
    queue,
    ids === "failed"
      ? isOneOf("all", "failed")
      : (item) => isOneOf(ids, "failed", "cancelled", "skipped")(item),
    (item) => ({ ...item, state: "waiting", message: undefined, interruptions: 0 }),
  );

export const remove = (queue: Queue, ids: Ids): Queue => queue.filter(({ id }) => !ids.has(id));

/** Applies the user's decision to items whose names are taken. */
export function decide(queue: Queue, ids: Ids | "all", decision: ConflictDecision | "skip"): Queue {
  return change(queue, isOneOf(ids, "taken"), (item) =>
    decision === "skip"
      ? { ...item, state: "skipped" }
      : // The server refuses to replace a folder.
        { ...item, state: "waiting", decision },
  );
}
