import type { FocusEvent, KeyboardEvent, MouseEvent } from "react";
import { type ShortcutName, shortcutOf } from "../../../app/shortcuts/shortcuts.ts";
import type { Entry } from "../data/entry.ts";
import { toggleDetails } from "../details/details-store.ts";
import {
  clearSelection,
  extendTo,
  moveTo,
  type Selection,
  selectOnly,
  stepFrom,
  toggle,
} from "../state/selection.ts";
import type { EntryEvents } from "./entry-props.ts";
import { gridStep } from "./grid-step.ts";

export interface GridKeysInput {
  readonly entries: readonly Entry[];
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly onSelectAll: () => void;
  readonly onUp: () => void;
  readonly on: EntryEvents;
  readonly columns: number;
  readonly perPage: number;
  /** Scrolls an entry into view. */
  readonly scrollToEntry: (index: number) => void;
}

/** Keyboard control of the list: everything that the mouse can do. */
export function useGridKeys(input: GridKeysInput) {
  const { entries, selection, onSelection, onSelectAll, onUp, on, scrollToEntry } = input;
  // Computed in handlers only: with a hundred thousand entries this is too slow for every render.
  const activeOf = () => entries.find(({ id }) => id === selection.active);
  const targetsOf = () => {
    const { selected, active } = selection;
    return entries.filter(({ id }) => (selected.size > 0 ? selected.has(id) : id === active));
  };

  const moveBy = (event: KeyboardEvent, by: number) => {
    const order = entries.map(({ id }) => id);
    const to = stepFrom(selection, order, by);
    if (to === undefined) return;
    if (event.shiftKey) onSelection(extendTo(selection, order, to));
    else onSelection(event.ctrlKey || event.metaKey ? moveTo(selection, to) : selectOnly(to));
    scrollToEntry(order.indexOf(to));
  };

  /** Returns whether the key is a shortcut that has an effect now. Held down, it has none, but is not the browser's. */
  const runShortcut = (event: KeyboardEvent): boolean => {
    const run = effectOf(shortcutOf("list", event));
    if (run === undefined) return false;
    if (!event.repeat) run();
    return true;
  };

  const effectOf = (shortcut: ShortcutName | undefined): (() => void) | undefined => {
    if (shortcut === undefined) return undefined;
    if (shortcut === "selectAll") return onSelectAll;
    if (shortcut === "up") return onUp;
    if (shortcut === "details") return toggleDetails;
    if (shortcut === "clear") {
      return selection.selected.size === 0
        ? undefined
        : () => onSelection(clearSelection(selection));
    }
    if (shortcut === "remove") {
      const targets = targetsOf();
      return targets.length === 0 ? undefined : () => on.actions.remove(targets);
    }
    const active = activeOf();
    if (active === undefined) return undefined;
    if (shortcut === "open") return () => on.actions.open(active);
    if (shortcut === "rename") return () => on.actions.rename(active);
    if (shortcut === "toggle") return () => onSelection(toggle(selection, active.id));
    return undefined;
  };

  return {
    onKeyDown(event: KeyboardEvent) {
      // Buttons and fields inside handle their own keys.
      if (event.target !== event.currentTarget) return;
      if (runShortcut(event)) return event.preventDefault();
      const by = event.altKey ? undefined : gridStep(event.key, input);
      if (by === undefined) return;
      event.preventDefault();
      moveBy(event, by);
    },
    onFocus(event: FocusEvent) {
      const [first] = entries;
      if (event.target !== event.currentTarget || first === undefined) return;
      if (activeOf() === undefined) onSelection(moveTo(selection, first.id));
    },
    // The menu key and Shift+F10.
    onContextMenu(event: MouseEvent) {
      const active = activeOf();
      if (event.target !== event.currentTarget || active === undefined) return;
      event.preventDefault();
      const element = event.currentTarget.querySelector("[data-active]");
      if (element !== null) on.menu(active, element.getBoundingClientRect());
    },
  };
}
