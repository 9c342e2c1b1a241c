import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { holdall } from "../../../app/connection/client.ts";
import { searchOptions } from "../state/search-filters.ts";
import { type FilesView, isSearch, serverOrder } from "../state/view.ts";
import { type Entry, entryOfFile, entryOfFolder } from "./entry.ts";
import { folderKey } from "./folder-query.ts";
import { SEARCH_PART_SIZE, type SearchPart } from "./refresh-searches.ts";
import type { FolderListing } from "./use-folder.ts";

const ANY_NAME = "*";
const MAX_RESULTS = 5_000;

/**
 * Files and folders with the text of the view in their name, or with any name; with filters, only files.
 * `here` is the listing of the view's folder: if that cannot be loaded, the search in it cannot either.
 */
export function useSearch(view: FilesView, here: FolderListing): FolderListing {
  const { query: text, filters, orderBy, direction } = view;
  // The top folder is all that one may see.
  const isHere = view.scope === "folder" && view.key !== "";
  const folderId = here.folder?.id;
  const place = isHere ? { folderId } : {};
  // A cursor belongs to exactly these filters.
  const [openedAt] = useState(Date.now);
  const query = useInfiniteQuery({
    queryKey: [...folderKey, { search: text, filters, ...place, orderBy, direction }],
    queryFn: ({ pageParam: { cursor, limit }, signal }) =>
      holdall.search(text === "" ? ANY_NAME : text, {
        ...searchOptions(filters, openedAt),
        ...place,
        limit,
        signal,
        orderBy: serverOrder(orderBy),
        orderDirection: direction,
        include: ["lifetime"],
        ...(cursor === "" ? { includeTotal: true } : { cursor }),
      }),
    initialPageParam: { cursor: "", limit: SEARCH_PART_SIZE } satisfies SearchPart,
    getNextPageParam: ({ nextCursor }, _pages, { limit }) =>
      nextCursor === null ? null : { cursor: nextCursor, limit },
    enabled: isSearch(view) && (!isHere || folderId !== undefined),
    placeholderData: (previous) => previous,
  });
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = query;
  const entries = useMemo<Entry[]>(
    () =>
      (data?.pages ?? []).flatMap(({ files, folders }) => [
        ...folders.map(entryOfFolder),
        ...files.map(entryOfFile),
      ]),
    [data],
  );
  if (isHere && folderId === undefined && here.error !== null) return here;
  const hasMore = hasNextPage && entries.length < MAX_RESULTS;
  return {
    folder: undefined,
    entries,
    hasMore,
    isCut: hasNextPage && !hasMore,
    total: data?.pages[0]?.total ?? undefined,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error,
    isPending: query.isPending,
    isPlaceholder: query.isPlaceholderData,
    loadMore: () => {
      if (hasMore && !isFetching && !isFetchNextPageError) void fetchNextPage();
    },
    loadAll: async () => entries,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}
