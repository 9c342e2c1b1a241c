import type { Group, GroupState, Groups } from "./group.ts";
import type { Item, ItemState } from "./item.ts";
import type { Queue } from "./queue.ts";

export interface Summary {
  /** Files, except files of folders that were refused, cancelled or interrupted. */
  readonly count: Readonly<Record<ItemState, number>>;
  /** Files that are stored or still to be uploaded. */
  readonly wanted: number;
  /** Total bytes of these, and the bytes sent so far. */
  readonly size: number;
  readonly sent: number;
  /** Something is being sent or will be, without the user. */
  readonly isRunning: boolean;
  /** Failed files and folders. */
  readonly failures: number;
  /** Files and folders that a closed page has left over. */
  readonly leftOver: number;
  /** The first item whose name is taken. */
  readonly taken: Item | undefined;
  /** The first folder with files whose names are taken. */
  readonly takenGroup: Group | undefined;
}

/** Summarizes the queue. */
export function summaryOf(queue: Queue, groups: Groups = []): Summary {
  const count = {
    waiting: 0,
    sending: 0,
    paused: 0,
    interrupted: 0,
    done: 0,
    taken: 0,
    failed: 0,
    skipped: 0,
    cancelled: 0,
  };
  const states = new Map(groups.map(({ id, state }) => [id, state]));
  let size = 0;
  let sent = 0;
  let running = 0;
  let taken: Item | undefined;
  for (const item of queue) {
    const { state } = item;
    const group = item.group === undefined ? undefined : states.get(item.group);
    if (group !== undefined && OVER.includes(group)) continue;
    count[state] += 1;
    if (state === "taken") taken ??= item;
    if ((state === "waiting" || state === "sending") && group !== "taken") running += 1;
    if (!isWanted(state)) continue;
    size += item.size;
    sent += item.sent;
  }
  const groupsThat = (...wanted: readonly GroupState[]): number =>
    groups.filter(({ state }) => wanted.includes(state)).length;
  return {
    count,
    wanted: count.waiting + count.sending + count.paused + count.done + count.taken,
    size,
    sent,
    isRunning: running + groupsThat("reading", "checking", "opening", "committing") > 0,
    failures: count.failed + groupsThat("failed"),
    leftOver: count.interrupted + groupsThat("interrupted"),
    taken,
    takenGroup: groups.find(({ state }) => state === "taken"),
  };
}

/** States of groups whose files do not count. */
const OVER: readonly GroupState[] = ["interrupted", "failed", "cancelled"];

const isWanted = (state: ItemState): boolean =>
  state !== "skipped" && state !== "cancelled" && state !== "failed" && state !== "interrupted";

/** The files of one group. */
export interface GroupTotals {
  readonly files: number;
  readonly done: number;
  readonly failed: number;
  readonly paused: number;
  /** Waiting or being sent. */
  readonly open: number;
  readonly size: number;
  readonly sent: number;
  /** The first failed file and its error. */
  readonly failure: { readonly name: string; readonly message: string } | undefined;
}

const NO_FILES: GroupTotals = {
  files: 0,
  done: 0,
  failed: 0,
  paused: 0,
  open: 0,
  size: 0,
  sent: 0,
  failure: undefined,
};

/** The totals of each group, without files that the user left out. */
export function groupTotals(queue: Queue, groups: Groups): ReadonlyMap<number, GroupTotals> {
  const totals = new Map<number, { -readonly [Field in keyof GroupTotals]: GroupTotals[Field] }>(
    groups.map(({ id }) => [id, { ...NO_FILES }]),
  );
  for (const item of queue) {
    const total = item.group === undefined ? undefined : totals.get(item.group);
    if (total === undefined || item.state === "skipped") continue;
    total.files += 1;
    total.size += item.size;
    total.sent += item.sent;
    if (item.state === "done") total.done += 1;
    if (item.state === "paused") total.paused += 1;
    if (item.state === "waiting" || item.state === "sending") total.open += 1;
    if (item.state === "failed") {
      total.failed += 1;
      total.failure ??= { name: item.name, message: item.message ?? "Failed" };
    }
  }
  return totals;
}
