import { useInfiniteQuery } from "@tanstack/react-query";
import { holdall } from "../../app/client.ts";
import { type Filters, timeRangeOf } from "./filters.ts";

const PAGE_SIZE = 100;
const POLL_MS = 15_000;

interface PageParam {
  readonly cursor?: string;
  readonly since?: string;
  readonly until?: string;
}

const FIRST_PAGE: PageParam = {};

/** The filtered activity, newest first, page by page. Polls for new events on the first page. */
export function useActivity(filters: Filters) {
  const { action, actor, outcome } = filters;
  return useInfiniteQuery({
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
}
