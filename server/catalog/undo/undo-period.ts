import { Fault } from "../../domain/faults/fault.ts";
import type { Millis } from "../../domain/records.ts";
import type { TakenBack } from "../tables/undo.ts";

/** Selects the changes to undo: by whom, and from when to when. */
export interface Period {
  readonly since: Millis;
  readonly until: Millis;
  /** The ids of the keys or the account. */
  readonly family: ReadonlySet<string>;
}

/** More would keep others waiting for too long. */
const MAX_EVENTS = 200_000;

/** Fault "too_large": there are more than `MAX_EVENTS`. */
export function rejectMany(count: number): void {
  if (count <= MAX_EVENTS) return;
  throw new Fault(
    "too_large",
    `There are more than ${MAX_EVENTS} changes to undo: undo a shorter time.`,
    { code: "too_many", details: { limit: MAX_EVENTS } },
  );
}

export const idOf = (actor: string): string => {
  const { id }: { id: string | null } = JSON.parse(actor);
  return id ?? "";
};

export const isIn = ({ since, until, family }: Period, { at, by }: TakenBack): boolean =>
  family.has(by) && at >= since && at <= until;

/** Whether it is part of an undo, and what that took back is in the period as well: together they changed nothing. */
export function isCancelled(period: Period, { takesBack }: Pick<TakenBack, "takesBack">): boolean {
  let isTakenBack = false;
  for (let link = takesBack; link !== undefined && isIn(period, link); link = link.takesBack) {
    // A step that has been taken back takes nothing back.
    isTakenBack = !isTakenBack;
  }
  return isTakenBack;
}

/** The rows read at once: what has cancelled itself out is not kept, however much it is. */
export const PAGE = 1000;

/** Reads rows in the order of their ids. `read` returns at most `PAGE` of those after an id. */
export async function* inPages<Row extends { readonly id: string }>(
  from: string,
  read: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after = from; ; ) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.id;
  }
}
