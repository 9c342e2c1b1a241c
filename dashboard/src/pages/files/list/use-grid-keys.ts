import type { FocusEvent, KeyboardEvent, MouseEvent } from "react";
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

  const runCommand = (event: KeyboardEvent): boolean => {
    const active = activeOf();
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key.toLowerCase() === "a") onSelectAll();
    else if (event.key === "ArrowUp" && event.altKey) onUp();
    else if (event.key === "Escape" && selection.selected.size > 0)
      onSelection(clearSelection(selection));
    else if (event.key === " " && active !== undefined) onSelection(toggle(selection, active.id));
    else if (event.key === "Enter" && active !== undefined) on.actions.open(active);
    else if (event.key === "i" && !command && !event.altKey) toggleDetails();
    else if (event.key === "F2" && active !== undefined) on.actions.rename(active);
    else if (event.key === "Delete" || (command && event.key === "Backspace")) {
      const targets = targetsOf();
      if (targets.length === 0) return false;
      on.actions.remove(targets);
    } else return false;
    return true;
  };

  return {
    onKeyDown(event: KeyboardEvent) {
      // Buttons and fields inside handle their own keys.
      if (event.target !== event.currentTarget) return;
      if (runCommand(event)) return event.preventDefault();
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
