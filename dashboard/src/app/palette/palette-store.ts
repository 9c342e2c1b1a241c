import type { FilesActions } from "../../pages/files/actions/files-actions.ts";
import type { Entry } from "../../pages/files/data/entry.ts";
import { navigationStore } from "../navigation/navigation-store.ts";
import { createStore } from "../store.ts";

/** Whether the palette of commands is open. */
export const paletteStore = createStore(false);

export function openPalette(): void {
  navigationStore.set(false);
  typedEarly.text = "";
  paletteStore.set(true);
}

/** Collects the keys that are typed before the script of the palette is loaded. */
export const typedEarly = { text: "" };

/** The commands that only the files page has. */
export interface FilesContext {
  /** The selection. */
  readonly entries: readonly Entry[];
  readonly actions: FilesActions;
}

/** undefined on other pages. */
export const filesContext: { current: FilesContext | undefined } = { current: undefined };
