import { readStored, writeStored } from "../../../app/local-storage.ts";
import { createStore } from "../../../app/store.ts";

const STORAGE_KEY = "holdall-details";
/** From this width on, the panel has room beside the list. */
export const WIDE = "(min-width: 64rem)";

/** The class of a list that has the panel beside it. */
export const ROOM_FOR_DETAILS = "lg:mr-80";

const isWide = (): boolean => window.matchMedia(WIDE).matches;

/** Whether the details panel is open. On narrow screens, it covers the list, so it is closed at first. */
export const detailsStore = createStore(readStored(STORAGE_KEY) === "open" && isWide());

export function setDetailsOpen(isOpen: boolean): void {
  detailsStore.set(isOpen);
  if (isWide()) writeStored(STORAGE_KEY, isOpen ? "open" : "closed");
}

export const toggleDetails = (): void => setDetailsOpen(!detailsStore.get());
