import { useInfiniteQuery } from "@tanstack/react-query";
import { holdall } from "../../app/client.ts";
import { type Filters, momentsOf } from "./filters.ts";

const PAGE = 100;
const LOOK_AGAIN_MS = 15_000;

interface Place {
  readonly cursor?: string;
  readonly since?: string;
  readonly until?: string;
}

const START: Place = {};

/** The filtered activity, newest first, page by page. Polls for new events on the first page. */
export function useActivity(filters: Filters) {
  const { action, actor, outcome } = filters;
  return useInfiniteQuery({
    queryKey: ["activity", filters],
    initialPageParam: START,
    queryFn: async ({ pageParam, signal }) => {
      // "Last hour" is resolved once; the following pages keep the range of the first.
      const moments = pageParam.cursor === undefined ? momentsOf(filters, new Date()) : pageParam;
      const page = await holdall.activity.list({
        limit: PAGE,
        ...(action && { action }),
        ...(actor && { actor }),
        ...(outcome && { outcome }),
        ...moments,
        signal,
      });
      return { ...page, moments };
    },
    getNextPageParam: ({ nextCursor, moments }): Place | undefined =>
      nextCursor === null ? undefined : { ...moments, cursor: nextCursor },
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 2) > 1 ? false : LOOK_AGAIN_MS),
    staleTime: 0,
  });
}
