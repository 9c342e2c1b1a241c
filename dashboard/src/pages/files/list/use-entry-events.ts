import { useMemo, useRef } from "react";
import { startDrag } from "../actions/drag.ts";
import type { FilesActions } from "../actions/files-actions.ts";
import type { Changes } from "../actions/use-changes.ts";
import type { Entry } from "../data/entry.ts";
import { chooseOnly, extendTo, type Selection, toggle } from "../state/selection.ts";
import type { EntryEvents } from "./entry-props.ts";
import { createFinger } from "./finger.ts";

export interface EntryEventsInput {
  readonly entries: readonly Entry[];
  readonly selection: Selection;
  readonly setSelection: (selection: Selection) => void;
  readonly actions: FilesActions;
  readonly changes: Changes;
  readonly setMenu: (entry: Entry, at: DOMRect) => void;
  readonly endRenaming: () => void;
}

/** Handlers for clicks, drags and renames of entries. The object is stable, so rows stay memoized. */
export function useEntryEvents(input: EntryEventsInput): EntryEvents {
  const latest = useRef(input);
  latest.current = input;
  return useMemo<EntryEvents>(() => {
    const finger = createFinger((entry) => events.toggle(entry));
    const events: EntryEvents = {
      actions: input.actions,
      begin: finger.begin,
      tap(event, entry) {
        if (!finger.isFinger() || isControl(event.target)) return;
        event.preventDefault();
        event.stopPropagation();
        if (finger.hasHeld()) return;
        // As on phones: with a selection, a tap selects; without one, it opens.
        if (latest.current.selection.chosen.size > 0) events.toggle(entry);
        else input.actions.open(entry);
      },
      press(event, entry) {
        const { entries, selection, setSelection } = latest.current;
        // A link inside has already handled the click.
        if (event.defaultPrevented) return;
        const order = () => entries.map(({ id }) => id);
        if (event.shiftKey) setSelection(extendTo(selection, order(), entry.id));
        else if (event.ctrlKey || event.metaKey) setSelection(toggle(selection, entry.id));
        else setSelection(chooseOnly(entry.id));
        focusGrid(event.currentTarget);
      },
      doublePress(entry) {
        if (!finger.isFinger()) input.actions.open(entry);
      },
      toggle(entry) {
        const { selection, setSelection } = latest.current;
        setSelection(toggle(selection, entry.id));
      },
      menu(entry, at) {
        const { selection, setSelection, setMenu } = latest.current;
        if (!selection.chosen.has(entry.id)) setSelection(chooseOnly(entry.id));
        setMenu(entry, at);
      },
      contextMenu(event, entry) {
        event.preventDefault();
        // A long press selects; every entry has a button for its menu.
        if (!finger.isFinger()) events.menu(entry, new DOMRect(event.clientX, event.clientY));
      },
      drag(event, entry) {
        if (finger.isFinger()) return event.preventDefault();
        const { entries, selection, setSelection } = latest.current;
        if (selection.chosen.has(entry.id)) {
          const chosen = entries.filter(({ id }) => selection.chosen.has(id));
          return startDrag(event, chosen);
        }
        setSelection(chooseOnly(entry.id));
        startDrag(event, [entry]);
      },
      async renamed(entry, name) {
        if (name !== undefined) await latest.current.changes.rename(entry, name);
        latest.current.endRenaming();
      },
    };
    return events;
  }, [input.actions]);
}

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest("button, input, label") !== null;

function focusGrid(row: EventTarget): void {
  if (!(row instanceof Element)) return;
  const grid = row.closest("[role=grid]");
  if (grid instanceof HTMLElement) grid.focus({ preventScroll: true });
}
