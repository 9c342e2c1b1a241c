import { useEffect, useState } from "react";
import { type Entry, isFolder } from "../data/entry.ts";
import { type Selection, selectOnly } from "./selection.ts";

export interface CreatedFolder {
  /** The id of an entry to scroll into view. */
  readonly revealed: string | undefined;
  /** Takes the key of a new folder. */
  readonly reveal: (key: string) => void;
}

/** Selects a new folder, and scrolls it into view, as soon as the list has it. */
export function useRevealCreated(
  entries: readonly Entry[],
  setSelection: (selection: Selection) => void,
): CreatedFolder {
  const [created, setCreated] = useState<string>();
  const [revealed, setRevealed] = useState<string>();
  useEffect(() => {
    if (created === undefined) return;
    // With "photos/2026", the list has only "photos".
    const entry = entries
      .filter(isFolder)
      .find(({ folder }) => `${created}/`.startsWith(`${folder.key}/`));
    if (entry === undefined) return;
    setCreated(undefined);
    setSelection(selectOnly(entry.id));
    setRevealed(entry.id);
  }, [created, entries, setSelection]);
  return { revealed, reveal: setCreated };
}
