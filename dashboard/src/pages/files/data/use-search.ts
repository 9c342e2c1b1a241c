import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { holdall } from "../../../app/client.ts";
import { type SearchFilters, searchOptions } from "../state/search-filters.ts";
import { type Entry, entryOfFile, entryOfFolder } from "./entry.ts";
import { type FolderListing, folderKey } from "./use-folder.ts";

const PAGE_SIZE = 200;
const MAX_RESULTS = 5_000;

/** Files and folders with the text in their name, in all folders; with filters, only files. An empty text is not searched. */
export function useSearch(text: string, filters: SearchFilters): FolderListing {
  // A cursor belongs to exactly these filters.
  const [openedAt] = useState(Date.now);
  const query = useInfiniteQuery({
    queryKey: [...folderKey, { search: text, filters }],
    queryFn: ({ pageParam: cursor, signal }) =>
      holdall.search(text, {
        ...{ ...searchOptions(filters, openedAt), limit: PAGE_SIZE, signal },
        ...(cursor === "" ? {} : { cursor }),
      }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: text !== "",
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
  const hasMore = hasNextPage && entries.length < MAX_RESULTS;
  return {
    folder: undefined,
    entries,
    hasMore,
    isCut: hasNextPage && !hasMore,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error,
    isPending: query.isPending,
    loadMore: () => {
      if (hasMore && !isFetching && !isFetchNextPageError) void fetchNextPage();
    },
    loadAll: async () => entries,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}
