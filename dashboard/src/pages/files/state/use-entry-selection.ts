import { useEffect, useMemo, useRef, useState } from "react";
import { showErrorToast } from "../../../components/toast-store.ts";
import type { Entry } from "../data/entry.ts";
import type { FolderListing } from "../data/use-folder.ts";
import {
  clearSelection,
  EMPTY_SELECTION,
  retainExisting,
  type Selection,
  selectAll,
} from "./selection.ts";

export interface EntrySelection {
  readonly selection: Selection;
  readonly setSelection: (selection: Selection) => void;
  /** The selected entries, in the order of the list. */
  readonly selected: readonly Entry[];
  /** How many of all entries are selected, including entries that are not loaded yet. */
  readonly extent: "none" | "some" | "all";
  readonly selectAll: () => void;
  readonly clear: () => void;
}

/** The selected entries of a list. Those that leave the list leave the selection, too. */
export function useEntrySelection({ entries, hasMore, loadAll }: FolderListing): EntrySelection {
  const [selection, setSelection] = useState(EMPTY_SELECTION);

  const previousOrder = useRef<readonly string[]>([]);
  useEffect(() => {
    const previousIds = previousOrder.current;
    const ids = entries.map(({ id }) => id);
    previousOrder.current = ids;
    setSelection((selection) => retainExisting(selection, previousIds, ids));
  }, [entries]);

  const selected = useMemo(
    () =>
      selection.selected.size === 0 ? [] : entries.filter(({ id }) => selection.selected.has(id)),
    [entries, selection.selected],
  );
  const isAll = selected.length > 0 && selected.length === entries.length && !hasMore;
  return {
    selection,
    setSelection,
    selected,
    extent: isAll ? "all" : selected.length > 0 ? "some" : "none",
    selectAll() {
      loadAll().then(
        (all) =>
          setSelection((previous) =>
            selectAll(
              previous,
              all.map(({ id }) => id),
            ),
          ),
        showErrorToast,
      );
    },
    clear: () => setSelection(clearSelection),
  };
}
