import { Fault } from "../faults/fault.ts";

/**
 * What to do with an uploaded file whose name is taken in the folder:
 * - refuse: fail with a conflict and store nothing of the request.
 * - replace: give the existing file the new content and keep its id. A folder is a conflict.
 * - keepBoth: use the first free name of "name (2).ext", "name (3).ext", …
 * - skip: do not store this file, but store the others.
 */
export type OnConflict = "refuse" | "replace" | "keepBoth" | "skip";

const ALL: readonly OnConflict[] = ["refuse", "replace", "keepBoth", "skip"];

/** Fault "invalid": unknown value. */
export function parseOnConflict(text: string): OnConflict {
  const found = ALL.find((each) => each === text);
  if (found !== undefined) return found;
  throw new Fault("invalid", "`onConflict` must be `refuse`, `replace`, `keepBoth` or `skip`.");
}
