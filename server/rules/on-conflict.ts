import { Fault } from "./fault.ts";

/**
 * What to do with an uploaded file whose name is taken in the folder:
 * - refuse: it is a conflict, and nothing of the request is stored.
 * - replace: the file of that name gets the new content and keeps its id. A folder is a conflict.
 * - keepBoth: it gets the first free of "name (2).ext", "name (3).ext", …
 * - skip: it is not stored; the others are.
 */
export type OnConflict = "refuse" | "replace" | "keepBoth" | "skip";

const ALL: readonly OnConflict[] = ["refuse", "replace", "keepBoth", "skip"];

/** Fault "invalid": unknown value. */
export function parseOnConflict(text: string): OnConflict {
  const found = ALL.find((each) => each === text);
  if (found !== undefined) return found;
  throw new Fault("invalid", "`onConflict` must be `refuse`, `replace`, `keepBoth` or `skip`.");
}
