import { loadScript } from "../app/load-script.ts";
import { createStore, useStore } from "../app/store.ts";
import type { AllOperations } from "./all-operations.ts";

/* The entry point of operations, part of every page. Their script is loaded with the first input, by `load-on-input.ts`. */

const loaded = createStore<AllOperations | undefined>(undefined);

/** Loads the operations, and what shows them on every page. Rejects with an error for the user. */
export async function loadOperations(): Promise<AllOperations> {
  const { allOperations } = await loadScript(() => import("./all-operations.ts"));
  if (loaded.get() === undefined) loaded.set(allOperations);
  return allOperations;
}

/** undefined: none has been needed. */
export const useLoadedOperations = (): AllOperations | undefined => useStore(loaded);
