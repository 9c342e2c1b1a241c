import { useInfiniteQuery } from "@tanstack/react-query";
import { holdall } from "../app/connection/client.ts";
import { linksKey } from "./links-key.ts";
import { type ShareSubject, subjectIds } from "./share-subject.ts";

const PAGE_SIZE = 50;
/** Visits are counted on the server. */
const POLL_MS = 15_000;

export interface LinksFilter {
  /** Only the links to this file or folder. */
  readonly subject?: ShareSubject;
  readonly includeRevoked?: boolean;
}

/** Links, newest first, page by page. */
export function useLinks({ subject, includeRevoked = false }: LinksFilter) {
  const ids = subject && subjectIds(subject);
  const query = useInfiniteQuery({
    queryKey: [...linksKey, ids ?? null, includeRevoked],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      holdall.links.list({
        ...ids,
        ...(includeRevoked && { includeRevoked }),
        limit: PAGE_SIZE,
        ...(pageParam !== "" && { cursor: pageParam }),
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 2) > 1 ? false : POLL_MS),
  });
  return { ...query, links: query.data?.pages.flatMap((page) => page.links) };
}
