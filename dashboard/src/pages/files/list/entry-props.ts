import type { DragEvent, MouseEvent, PointerEvent } from "react";
import type { FilesActions } from "../actions/files-actions.ts";
import type { Entry } from "../data/entry.ts";

/** What a line of the list and a tile of the grid have in common. */
export interface EntryProps {
  readonly entry: Entry;
  /** Of the element, so that the keyboard's place can be told to screen readers. */
  readonly id: string;
  readonly index: number;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly isRenaming: boolean;
  /** The address that opens it. */
  readonly path: string;
  /** The folder that it is in, where that is not plain. */
  readonly place: string | undefined;
  readonly on: EntryEvents;
}

export interface EntryEvents {
  /** Comes before every `tap` and `press`. */
  readonly begin: (event: PointerEvent, entry: Entry) => void;
  /** What a finger means by it, before anything within hears of it. */
  readonly tap: (event: MouseEvent, entry: Entry) => void;
  readonly press: (event: MouseEvent, entry: Entry) => void;
  readonly doublePress: (entry: Entry) => void;
  readonly toggle: (entry: Entry) => void;
  readonly menu: (entry: Entry, at: DOMRect) => void;
  readonly contextMenu: (event: MouseEvent, entry: Entry) => void;
  readonly drag: (event: DragEvent, entry: Entry) => void;
  readonly renamed: (entry: Entry, name: string | undefined) => Promise<void>;
  readonly actions: FilesActions;
}
