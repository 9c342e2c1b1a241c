import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { followChanges } from "../../app/connection/change-stream.ts";
import { holdall } from "../../app/connection/client.ts";
import { addNewest, type LoadedPage, type LoadedPages } from "./add-newest.ts";
import { conditionsOf, type Filters, timeRangeOf } from "./filters.ts";

const PAGE_SIZE = 100;
const POLL_MS = 15_000;
/** How long after a change its event is in the log, at the latest. */
const RECORDED_MS = 1_500;

interface PageParam {
  readonly cursor?: string;
  readonly since?: string;
  readonly until?: string;
}

const FIRST_PAGE: PageParam = {};

/**
 * The filtered activity, newest first, page by page. The newest page is read again soon after each change
 * of files, and four times a minute for other events.
 */
export function useActivity(filters: Filters) {
  const client = useQueryClient();
  // A search may read the whole log.
  const pollMs = filters.text === undefined && POLL_MS;
  const queryKey = useMemo(() => ["activity", filters], [filters]);
  const activity = useInfiniteQuery({
    queryKey,
    initialPageParam: FIRST_PAGE,
    queryFn: ({ pageParam, signal }) => readPage(filters, pageParam, signal),
    getNextPageParam: ({ nextCursor, timeRange }): PageParam | undefined =>
      nextCursor === null ? undefined : { ...timeRange, cursor: nextCursor },
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 2) > 1 ? false : pollMs),
    staleTime: 0,
  });
  const pageCount = activity.data?.pages.length ?? 0;
  const hasSeveral = pageCount > 1;
  // Reading all pages again would cost a request each.
  const newest = useQuery({
    queryKey: [...queryKey, "newest"],
    queryFn: ({ signal }) => readPage(filters, FIRST_PAGE, signal),
    enabled: hasSeveral,
    refetchInterval: pollMs,
    staleTime: 0,
    // A later visit must not add the entries of this one again, which may have been cleared.
    gcTime: 0,
  });
  const { refetch: refetchAll } = activity;
  const { data: newestPage, dataUpdatedAt } = newest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that arrived meanwhile may have replaced the entries, so that the same ones are added again.
  useEffect(() => {
    const data = client.getQueryData<LoadedPages<PageParam>>(queryKey);
    if (newestPage === undefined || data === undefined || data.pages.length < 2) return;
    const merged = addNewest(data, newestPage.activity);
    if (merged === undefined) void refetchAll();
    else client.setQueryData<LoadedPages<PageParam>>(queryKey, merged);
  }, [client, queryKey, newestPage, dataUpdatedAt, refetchAll]);

  const refetch = hasSeveral ? newest.refetch : refetchAll;
  const isLoaded = pageCount > 0;
  useEffect(() => {
    if (!isLoaded) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refetchSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void refetch();
      }, RECORDED_MS);
    };
    // Events from right before the page opened may not be in its list either.
    const stop = followChanges({ onChanges: refetchSoon, onGap: refetchSoon });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [isLoaded, refetch]);
  return activity;
}

async function readPage(
  filters: Filters,
  pageParam: PageParam,
  signal: AbortSignal,
): Promise<LoadedPage<PageParam>> {
  // "Last hour" is resolved once; the following pages keep the range of the first.
  const timeRange = pageParam.cursor === undefined ? timeRangeOf(filters, new Date()) : pageParam;
  const page = await holdall.activity.list({
    limit: PAGE_SIZE,
    ...conditionsOf(filters),
    ...timeRange,
    signal,
  });
  return { ...page, timeRange };
}
