import type { DragEvent, MouseEvent, PointerEvent } from "react";
import type { FilesActions } from "../actions/files-actions.ts";
import type { Entry } from "../data/entry.ts";

/** Props shared by the rows of the list and the tiles of the grid. */
export interface EntryProps {
  readonly entry: Entry;
  /** The element's id, for `aria-activedescendant`. */
  readonly id: string;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly isRenaming: boolean;
  /** The path or URL that opens the entry. */
  readonly path: string;
  /** The folder that the entry is in; only in search results. */
  readonly folderKey: string | undefined;
  readonly on: EntryEvents;
}

/**
 * Hides the checkbox of an entry until the mouse or the keyboard is on it, or something is selected.
 * Fingers cannot hover, so nothing that they need is hidden.
 */
export const SHOWN_ON_HOVER =
  "not-pointer-coarse:opacity-0 transition-opacity duration-100 focus-within:opacity-100 group-hover:opacity-100 group-aria-selected:opacity-100 [.keyboard:focus-visible_&]:group-data-active:opacity-100 [.selecting_&]:opacity-100";

export interface EntryEvents {
  /** Called before every `tap` and `press`. */
  readonly pointerDown: (event: PointerEvent, entry: Entry) => void;
  /** Handles touch in the capture phase, before the entry's own links and buttons. */
  readonly tap: (event: MouseEvent, entry: Entry) => void;
  readonly click: (event: MouseEvent, entry: Entry) => void;
  readonly doubleClick: (entry: Entry) => void;
  /** `extend`: with all entries from the last one that was toggled. */
  readonly toggle: (entry: Entry, extend?: boolean) => void;
  readonly menu: (entry: Entry, at: DOMRect) => void;
  readonly contextMenu: (event: MouseEvent, entry: Entry) => void;
  readonly drag: (event: DragEvent, entry: Entry) => void;
  readonly renamed: (entry: Entry, name: string | undefined) => Promise<void>;
  readonly actions: FilesActions;
}
