import type { SpaceObject } from "../../../sdk/src/holdall.ts";
import { writeStored } from "../app/local-storage.ts";
import { rightsStore, SPACE_KEY } from "./rights.ts";

/** The member works in another of its spaces. */
export function enterSpace(space: SpaceObject): void {
  const rights = rightsStore.get();
  if (rights === undefined) return;
  writeStored(SPACE_KEY, space.id);
  rightsStore.set({ ...rights, space });
}
