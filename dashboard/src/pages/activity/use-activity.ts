import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { followChanges } from "../../app/change-stream.ts";
import { holdall } from "../../app/client.ts";
import { type Filters, timeRangeOf } from "./filters.ts";

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
 * The filtered activity, newest first, page by page. The first page is read again soon after each change
 * of files, and four times a minute for other events.
 */
export function useActivity(filters: Filters) {
  const { action, actor, outcome } = filters;
  const activity = useInfiniteQuery({
    queryKey: ["activity", filters],
    initialPageParam: FIRST_PAGE,
    queryFn: async ({ pageParam, signal }) => {
      // "Last hour" is resolved once; the following pages keep the range of the first.
      const timeRange =
        pageParam.cursor === undefined ? timeRangeOf(filters, new Date()) : pageParam;
      const page = await holdall.activity.list({
        limit: PAGE_SIZE,
        ...(action && { action }),
        ...(actor && { actor }),
        ...(outcome && { outcome }),
        ...timeRange,
        signal,
      });
      return { ...page, timeRange };
    },
    getNextPageParam: ({ nextCursor, timeRange }): PageParam | undefined =>
      nextCursor === null ? undefined : { ...timeRange, cursor: nextCursor },
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 2) > 1 ? false : POLL_MS),
    staleTime: 0,
  });
  const { refetch } = activity;
  const isFirstPage = (activity.data?.pages.length ?? 2) === 1;
  useEffect(() => {
    if (!isFirstPage) return;
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
  }, [isFirstPage, refetch]);
  return activity;
}
