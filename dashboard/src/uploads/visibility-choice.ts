import type { Visibility } from "../../../sdk/src/holdall.ts";
import { readStored, removeStored, writeStored } from "../app/local-storage.ts";

/** In localStorage: uploads that continue after a reload keep the choice. */
const KEY = "holdall-upload-visibility";

/** The user's choice in the panel; undefined: each folder's default. */
export function readVisibilityChoice(): Visibility | undefined {
  const stored = readStored(KEY);
  return stored === "public" || stored === "private" ? stored : undefined;
}

export function storeVisibilityChoice(choice: Visibility | undefined): void {
  if (choice === undefined) removeStored(KEY);
  else writeStored(KEY, choice);
}
