import type { InfiniteData } from "@tanstack/react-query";
import type { ActivityObject } from "../../../../sdk/src/holdall.ts";

export interface LoadedPage<Param> {
  readonly activity: readonly ActivityObject[];
  readonly nextCursor: string | null;
  readonly timeRange: Param;
}

export type LoadedPages<Param> = InfiniteData<LoadedPage<Param>, Param>;

/**
 * Adds the entries of the newest page, read again, to the first of the loaded pages. undefined: none of
 * them is known, so that some may be missing in between.
 */
export function addNewest<Param>(
  data: LoadedPages<Param>,
  newest: readonly ActivityObject[],
): LoadedPages<Param> | undefined {
  const [first, ...others] = data.pages;
  if (first === undefined) return undefined;
  const known = new Set(data.pages.flatMap(({ activity }) => activity.map(({ id }) => id)));
  const added = newest.filter(({ id }) => !known.has(id));
  if (added.length === newest.length) return undefined;
  if (added.length === 0) return data;
  // Processes write their entries a second apart: an added one may be older than a known one.
  const activity = [...added, ...first.activity].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return { ...data, pages: [{ ...first, activity }, ...others] };
}
