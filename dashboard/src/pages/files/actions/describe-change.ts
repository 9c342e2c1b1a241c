import type { BulkResult } from "../../../operations/run-steps.ts";
import { formatCount } from "../../../text/format-count.ts";
import { type Entry, nameOf } from "../data/entry.ts";

export const formatItems = (count: number): string => formatCount(count, "item");

/** A single entry by its name, or the number of entries. */
export function quoteEntries(entries: readonly Entry[]): string {
  const [first] = entries;
  return entries.length === 1 && first !== undefined
    ? `“${nameOf(first)}”`
    : formatItems(entries.length);
}

/** Why entries could not be changed; undefined: all were. `verb` is a past participle, such as "moved". */
export function failureOf({ done, failed, failure }: BulkResult, verb: string): Error | undefined {
  if (failure === undefined || (failed <= 1 && done === 0)) return failure;
  return new Error(`${formatItems(failed)} couldn't be ${verb}: ${failure.message}`);
}
