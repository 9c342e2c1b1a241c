import type { InfiniteData, Query, QueryClient, QueryKey } from "@tanstack/react-query";
import type { SearchPage } from "../../../../../sdk/src/holdall.ts";
import { folderKey, folderQueryOf } from "./folder-query.ts";

/** A part of a search's results, which one request loads. */
export interface SearchPart {
  readonly cursor: string;
  readonly limit: number;
}

export type SearchPages = InfiniteData<SearchPage, SearchPart>;

/** Results of the parts that are loaded while the user scrolls. */
export const SEARCH_PART_SIZE = 200;
/** The most that the server takes. */
const MAX_PART_SIZE = 1_000;

const INTERVAL_MS = 1_000;
/** On a slow server, searches are to take a part of its time only. */
const PAUSE_PER_DURATION = 4;
const MAX_PAUSE_MS = 10_000;

/**
 * Loads the results of the searches on screen again: only the server knows what matches after a change. Resolves when
 * they are loaded.
 */
export type RefreshSearches = (client: QueryClient) => Promise<void>;

/** After changes made elsewhere, of which there may be many. */
export const refreshSearchesSoon = createRefreshSearches(INTERVAL_MS);

/** On request: takes the place of a request that is running. */
export async function refreshSearchesNow(client: QueryClient): Promise<void> {
  await Promise.all((await activeSearches(client)).map(({ queryKey }) => load(client, queryKey)));
}

/** Loads at once, then at most once in each interval, and never cancels a request that is running. */
export function createRefreshSearches(intervalMs: number): RefreshSearches {
  let ready: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function run(client: QueryClient): Promise<void> {
    next = undefined;
    const startedAt = performance.now();
    const loading = loadAfterRunning(client);
    ready = loading.then((count) => {
      const longPauseMs = (performance.now() - startedAt) * PAUSE_PER_DURATION;
      const pauseMs = Math.max(intervalMs, Math.min(MAX_PAUSE_MS, longPauseMs));
      return count === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, pauseMs));
    });
    await loading;
  }

  return (client) => {
    next ??= ready.then(() => run(client));
    return next;
  };
}

/** Searches on screen. The others are loaded when they are shown again. */
async function activeSearches(client: QueryClient): Promise<Query[]> {
  const searches = {
    queryKey: folderKey,
    predicate: ({ queryKey }: Query) => folderQueryOf(queryKey) === undefined,
  };
  await client.invalidateQueries({ ...searches, refetchType: "none" });
  return client.getQueryCache().findAll({ ...searches, type: "active" });
}

/** Returns the number of searches. */
async function loadAfterRunning(client: QueryClient): Promise<number> {
  const active = await activeSearches(client);
  const loadEach = async (query: Query): Promise<void> => {
    // A running request may have read what was there before the changes.
    if (query.state.fetchStatus === "fetching") await Promise.allSettled([query.promise]);
    await load(client, query.queryKey);
  };
  await Promise.all(active.map(loadEach));
  return active.length;
}

async function load(client: QueryClient, queryKey: QueryKey): Promise<void> {
  client.setQueryData<SearchPages>(queryKey, (data) => data && joinParts(data));
  await client.refetchQueries({ queryKey, exact: true, type: "active" });
}

/**
 * Joins the results into as few parts as possible, because loading them again takes a request for each. Until then, the
 * first part has them all.
 */
export function joinParts({ pages, pageParams }: SearchPages): SearchPages {
  const [first] = pages;
  const last = pages.at(-1);
  if (first === undefined || last === undefined || first === last) return { pages, pageParams };
  const files = pages.flatMap((page) => page.files);
  const folders = pages.flatMap((page) => page.folders);
  const results = files.length + folders.length;
  const count = Math.max(1, Math.ceil(results / MAX_PART_SIZE));
  const size = Math.max(1, Math.ceil(results / count / SEARCH_PART_SIZE)) * SEARCH_PART_SIZE;
  const empty = { ...last, files: [], folders: [], total: first.total };
  return {
    pages: [{ ...empty, files, folders }, ...Array<SearchPage>(count - 1).fill(empty)],
    pageParams: Array<SearchPart>(count).fill({ cursor: "", limit: size }),
  };
}
