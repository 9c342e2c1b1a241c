/** What is chosen in a list, and where the keyboard is in it. */
export interface Selection {
  readonly chosen: ReadonlySet<string>;
  /** Where a range begins. */
  readonly anchor: string | undefined;
  /** Where the keyboard is. */
  readonly active: string | undefined;
}

export const NOTHING: Selection = { chosen: new Set(), anchor: undefined, active: undefined };

/** Only this one. */
export const chooseOnly = (id: string): Selection => ({
  chosen: new Set([id]),
  anchor: id,
  active: id,
});

/** This one too, or no longer. */
export function toggle(selection: Selection, id: string): Selection {
  const chosen = new Set(selection.chosen);
  if (!chosen.delete(id)) chosen.add(id);
  return { chosen, anchor: id, active: id };
}

/** Everything from the anchor to this one, in the order shown, and nothing else. */
export function extendTo(selection: Selection, order: readonly string[], id: string): Selection {
  const to = order.indexOf(id);
  if (to < 0) return selection;
  const from = selection.anchor === undefined ? -1 : order.indexOf(selection.anchor);
  if (from < 0) return chooseOnly(id);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { chosen: new Set(range), anchor: selection.anchor, active: id };
}

/** The keyboard goes there; what is chosen stays. */
export const moveTo = (selection: Selection, id: string): Selection => ({
  ...selection,
  active: id,
});

export const chooseAll = (selection: Selection, order: readonly string[]): Selection => ({
  chosen: new Set(order),
  anchor: order[0],
  active: selection.active ?? order[0],
});

/** Nothing chosen; the keyboard stays where it is. */
export const chooseNone = ({ active }: Selection): Selection => ({
  chosen: new Set(),
  anchor: active,
  active,
});

/**
 * What is left when the list changes from one order to another. Where the keyboard's place is gone,
 * it stays nearby. The very same object where nothing is lost.
 */
export function keepOf(
  selection: Selection,
  before: readonly string[],
  order: readonly string[],
): Selection {
  const { chosen, anchor, active } = selection;
  if (chosen.size === 0 && anchor === undefined && active === undefined) return selection;
  const there = new Set(order);
  const left = [...chosen].filter((id) => there.has(id));
  const kept = (id: string | undefined) => (id !== undefined && there.has(id) ? id : undefined);
  if (left.length === chosen.size && kept(anchor) === anchor && kept(active) === active) {
    return selection;
  }
  const place = active === undefined ? -1 : before.indexOf(active);
  const nearby =
    place < 0
      ? undefined
      : (before.slice(place + 1).find((id) => there.has(id)) ??
        before.slice(0, place).findLast((id) => there.has(id)));
  return { chosen: new Set(left), anchor: kept(anchor), active: kept(active) ?? nearby };
}

/** Where the keyboard is after so many steps; at the ends it stays. */
export function step(
  { active }: Selection,
  order: readonly string[],
  by: number,
): string | undefined {
  const at = active === undefined ? -1 : order.indexOf(active);
  if (at < 0) return by < 0 === Number.isFinite(by) ? order.at(-1) : order[0];
  return order[Math.max(0, Math.min(order.length - 1, at + by))];
}
