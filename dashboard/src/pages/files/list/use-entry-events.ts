import { useMemo, useRef } from "react";
import type { FilesActions } from "../actions/files-actions.ts";
import type { Changes } from "../actions/use-changes.ts";
import type { Entry } from "../data/entry.ts";
import { chooseOnly, extendTo, type Selection, toggle } from "../state/selection.ts";
import type { EntryEvents } from "./entry-props.ts";

export interface EntryEventsInput {
  readonly entries: readonly Entry[];
  readonly selection: Selection;
  readonly setSelection: (selection: Selection) => void;
  readonly actions: FilesActions;
  readonly changes: Changes;
  readonly setMenu: (entry: Entry, at: DOMRect) => void;
  readonly endRenaming: () => void;
}

/** What happens to entries that are pressed, dragged or renamed. The same object all along. */
export function useEntryEvents(input: EntryEventsInput): EntryEvents {
  const latest = useRef(input);
  latest.current = input;
  return useMemo<EntryEvents>(
    () => ({
      actions: input.actions,
      press(event, entry) {
        const { entries, selection, setSelection } = latest.current;
        // A link within has done what was meant.
        if (event.defaultPrevented) return;
        const order = () => entries.map(({ id }) => id);
        if (event.shiftKey) setSelection(extendTo(selection, order(), entry.id));
        else if (event.ctrlKey || event.metaKey) setSelection(toggle(selection, entry.id));
        else setSelection(chooseOnly(entry.id));
        focusGrid(event.currentTarget);
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
      drag(entry) {
        const { entries, selection, setSelection } = latest.current;
        if (selection.chosen.has(entry.id)) {
          return entries.filter(({ id }) => selection.chosen.has(id));
        }
        setSelection(chooseOnly(entry.id));
        return [entry];
      },
      async renamed(entry, name) {
        if (name !== undefined) await latest.current.changes.rename(entry, name);
        latest.current.endRenaming();
      },
    }),
    [input.actions],
  );
}

function focusGrid(row: EventTarget): void {
  if (!(row instanceof Element)) return;
  const grid = row.closest("[role=grid]");
  if (grid instanceof HTMLElement) grid.focus({ preventScroll: true });
}
