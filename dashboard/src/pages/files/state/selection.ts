/** The selection of a list and its keyboard position. */
export interface Selection {
  readonly selected: ReadonlySet<string>;
  /** Start of a range. */
  readonly anchor: string | undefined;
  /** The entry at the keyboard position. */
  readonly active: string | undefined;
}

export const EMPTY_SELECTION: Selection = {
  selected: new Set(),
  anchor: undefined,
  active: undefined,
};

/** Selects only this entry. */
export const selectOnly = (id: string): Selection => ({
  selected: new Set([id]),
  anchor: id,
  active: id,
});

/** Adds the entry to the selection, or removes it. */
export function toggle(selection: Selection, id: string): Selection {
  const selected = new Set(selection.selected);
  if (!selected.delete(id)) selected.add(id);
  return { selected, anchor: id, active: id };
}

/** Selects exactly the range from the anchor to this entry, in display order. */
export function extendTo(selection: Selection, order: readonly string[], id: string): Selection {
  const to = order.indexOf(id);
  if (to < 0) return selection;
  const from = selection.anchor === undefined ? -1 : order.indexOf(selection.anchor);
  if (from < 0) return selectOnly(id);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { selected: new Set(range), anchor: selection.anchor, active: id };
}

/** Selects all from the anchor to this entry, or clears them if this entry is selected. Keeps the rest. */
export function toggleTo(selection: Selection, order: readonly string[], id: string): Selection {
  const to = order.indexOf(id);
  const from = selection.anchor === undefined ? -1 : order.indexOf(selection.anchor);
  if (to < 0 || from < 0) return toggle(selection, id);
  const selected = new Set(selection.selected);
  const isSelecting = !selected.has(id);
  for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (isSelecting) selected.add(each);
    else selected.delete(each);
  }
  return { selected, anchor: id, active: id };
}

/** Selects these entries, of which the last becomes active, and what `before` selects if `adds`. */
export function selectEach(before: Selection, ids: readonly string[], adds: boolean): Selection {
  return {
    selected: new Set(adds ? [...before.selected, ...ids] : ids),
    anchor: ids[0] ?? before.anchor,
    active: ids.at(-1) ?? before.active,
  };
}

/** Moves the keyboard position and keeps the selection. */
export const moveTo = (selection: Selection, id: string): Selection => ({
  ...selection,
  active: id,
});

export const selectAll = (selection: Selection, order: readonly string[]): Selection => ({
  selected: new Set(order),
  anchor: order[0],
  active: selection.active ?? order[0],
});

/** Clears the selection and keeps the keyboard position. */
export const clearSelection = ({ active }: Selection): Selection => ({
  selected: new Set(),
  anchor: active,
  active,
});

/**
 * The selection after the list changed from `before` to `order`. If the active entry is gone, a
 * nearby one becomes active. Returns the same object if nothing was removed.
 */
export function retainExisting(
  selection: Selection,
  before: readonly string[],
  order: readonly string[],
): Selection {
  const { selected, anchor, active } = selection;
  if (selected.size === 0 && anchor === undefined && active === undefined) return selection;
  const existing = new Set(order);
  const remaining = [...selected].filter((id) => existing.has(id));
  const kept = (id: string | undefined) => (id !== undefined && existing.has(id) ? id : undefined);
  if (remaining.length === selected.size && kept(anchor) === anchor && kept(active) === active) {
    return selection;
  }
  const position = active === undefined ? -1 : before.indexOf(active);
  const nearest =
    position < 0
      ? undefined
      : (before.slice(position + 1).find((id) => existing.has(id)) ??
        before.slice(0, position).findLast((id) => existing.has(id)));
  return { selected: new Set(remaining), anchor: kept(anchor), active: kept(active) ?? nearest };
}

/** The entry `by` steps from the active one; stops at both ends. */
export function stepFrom(
  { active }: Selection,
  order: readonly string[],
  by: number,
): string | undefined {
  const at = active === undefined ? -1 : order.indexOf(active);
  if (at < 0) return by < 0 === Number.isFinite(by) ? order.at(-1) : order[0];
  return order[Math.max(0, Math.min(order.length - 1, at + by))];
}
