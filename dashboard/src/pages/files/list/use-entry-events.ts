import { useMemo, useRef } from "react";
import { can } from "../../../rights/rights.ts";
import type { Changes } from "../actions/changes.ts";
import { startDrag } from "../actions/drag.ts";
import type { FilesActions } from "../actions/files-actions.ts";
import type { Entry } from "../data/entry.ts";
import { extendTo, type Selection, selectOnly, toggle, toggleTo } from "../state/selection.ts";
import type { EntryEvents } from "./entry-props.ts";
import { createTouchTracker } from "./touch-tracker.ts";

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
    const touch = createTouchTracker((entry) => events.toggle(entry));
    const events: EntryEvents = {
      actions: input.actions,
      pointerDown: touch.pointerDown,
      tap(event, entry) {
        if (!touch.isTouch() || isControl(event.target)) return;
        event.preventDefault();
        event.stopPropagation();
        if (touch.wasLongPress()) return;
        // A tap selects if there is a selection, and opens otherwise, as phones do it.
        if (latest.current.selection.selected.size > 0) events.toggle(entry);
        else input.actions.open(entry);
      },
      click(event, entry) {
        const { entries, selection, setSelection } = latest.current;
        // A link inside has already handled the click.
        if (event.defaultPrevented) return;
        const order = () => entries.map(({ id }) => id);
        if (event.shiftKey) setSelection(extendTo(selection, order(), entry.id));
        else if (event.ctrlKey || event.metaKey) setSelection(toggle(selection, entry.id));
        else setSelection(selectOnly(entry.id));
        focusGrid(event.currentTarget);
      },
      doubleClick(entry) {
        if (!touch.isTouch()) input.actions.open(entry);
      },
      toggle(entry, extend = false) {
        const { entries, selection, setSelection } = latest.current;
        setSelection(
          extend
            ? toggleTo(
                selection,
                entries.map(({ id }) => id),
                entry.id,
              )
            : toggle(selection, entry.id),
        );
      },
      menu(entry, at) {
        const { selection, setSelection, setMenu } = latest.current;
        // With a selection, the next tap would select instead of open.
        if (!touch.isTouch() && !selection.selected.has(entry.id)) {
          setSelection(selectOnly(entry.id));
        }
        setMenu(entry, at);
      },
      contextMenu(event, entry) {
        event.preventDefault();
        // A long press selects; every entry has a button for its menu.
        if (!touch.isTouch()) events.menu(entry, new DOMRect(event.clientX, event.clientY));
      },
      drag(event, entry) {
        if (touch.isTouch() || !can("write")) return event.preventDefault();
        const { entries, selection, setSelection } = latest.current;
        if (selection.selected.has(entry.id)) {
          const selected = entries.filter(({ id }) => selection.selected.has(id));
          return startDrag(event, selected);
        }
        setSelection(selectOnly(entry.id));
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
