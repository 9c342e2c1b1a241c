import type { FilesActions } from "../../pages/files/actions/files-actions.ts";
import type { Entry } from "../../pages/files/data/entry.ts";
import { navigationStore } from "../navigation-store.ts";
import { createStore } from "../store.ts";

/** Whether the palette of commands is open. */
export const paletteStore = createStore(false);

export function openPalette(): void {
  navigationStore.set(false);
  typedEarly.text = "";
  paletteStore.set(true);
}

/** What is typed before the script of the palette is there. */
export const typedEarly = { text: "" };

/** What the palette can do on the page of the files. */
export interface FilesContext {
  /** The selection. */
  readonly entries: readonly Entry[];
  readonly actions: FilesActions;
}

/** undefined on other pages. */
export const filesContext: { current: FilesContext | undefined } = { current: undefined };
