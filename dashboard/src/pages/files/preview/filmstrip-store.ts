import { readStored, writeStored } from "../../../app/local-storage.ts";
import { createStore } from "../../../app/store.ts";

const STORAGE_KEY = "holdall-filmstrip";

/** Phones need the room for the file itself. */
export const ROOM_FOR_FILMSTRIP = "(min-width: 64rem) and (min-height: 36rem)";

/** Whether previews of media show the files beside them: what was last chosen in this browser. */
export const filmstripStore = createStore(readStored(STORAGE_KEY) !== "closed");

export function toggleFilmstrip(): void {
  const isOpen = !filmstripStore.get();
  filmstripStore.set(isOpen);
  writeStored(STORAGE_KEY, isOpen ? "open" : "closed");
}
