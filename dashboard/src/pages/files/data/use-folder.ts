import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { FolderObject, FolderPage } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { can } from "../../../rights/rights.ts";
import { sortByName } from "../../../text/name-order.ts";
import { type FilesView, serverOrder } from "../state/view.ts";
import { type Entry, entryOfFile, entryOfFolder } from "./entry.ts";
import { folderKey } from "./folder-query.ts";
import type { ListOrder } from "./insert-files.ts";

/** The first page is small, so that it arrives quickly. */
const FIRST_PAGE_SIZE = 200;
const PAGE_SIZE = 1_000;

export interface FolderListing {
  readonly folder: FolderObject | undefined;
  /** The entries loaded so far, folders first. */
  readonly entries: readonly Entry[];
  readonly hasMore: boolean;
  /** There are more, which cannot be loaded. */
  readonly isCut: boolean;
  /** Results of a search on all pages; `MAX_COUNTED` stands for that many or more. */
  readonly total?: number | undefined;
  readonly isLoadingMore: boolean;
  readonly error: Error | null;
  /** Nothing has been loaded yet. */
  readonly isPending: boolean;
  /** The entries still belong to the previous order or search. */
  readonly isPlaceholder: boolean;
  readonly loadMore: () => void;
  /** Loads the remaining pages and resolves with all entries. */
  readonly loadAll: () => Promise<readonly Entry[]>;
  readonly retry: () => void;
}

/** The content of a folder, page by page. */
export function useFolder({ key, orderBy, direction }: FilesView): FolderListing {
  const query = useInfiniteQuery({
    queryKey: [...folderKey, key, orderBy, direction],
    queryFn: ({ pageParam: cursor, signal }) =>
      holdall.folders.page(
        { key },
        {
          limit: cursor === "" ? FIRST_PAGE_SIZE : PAGE_SIZE,
          cursor,
          orderBy: serverOrder(orderBy),
          orderDirection: direction,
          include: ["lifetime"],
          signal,
        },
      ),
    enabled: can("list"),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Comparing a hundred thousand files structurally would freeze the page.
    structuralSharing: false,
    // While another order loads, the previous one stays on screen; another folder starts empty.
    placeholderData: (previous, previousQuery) =>
      previousQuery?.queryKey[1] === key ? previous : undefined,
  });

  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = query;
  const entries = useMemo(
    () => entriesOf(data?.pages ?? [], { orderBy, direction }),
    [data, orderBy, direction],
  );

  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);

  const loadAll = useCallback(async () => {
    let result = await fetchNextPage({ cancelRefetch: false });
    while (result.hasNextPage) {
      if (result.isError) throw result.error;
      result = await fetchNextPage();
    }
    return entriesOf(result.data?.pages ?? [], { orderBy, direction });
  }, [fetchNextPage, orderBy, direction]);

  return {
    folder: data?.pages[0]?.folder,
    entries,
    hasMore: hasNextPage,
    isCut: false,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error,
    isPending: query.isPending,
    isPlaceholder: query.isPlaceholderData,
    loadMore,
    loadAll: hasNextPage ? loadAll : async () => entries,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}

function entriesOf(pages: readonly FolderPage[], { orderBy, direction }: ListOrder): Entry[] {
  const folders = sortByName(pages[0]?.folders ?? [], orderBy === "name" ? direction : "ASC");
  const entries = folders.map(entryOfFolder);
  const seen = new Set<string>();
  for (const { files } of pages) {
    for (const file of files) {
      // A file may have moved between pages while they were loaded.
      if (seen.has(file.id)) continue;
      seen.add(file.id);
      entries.push(entryOfFile(file));
    }
  }
  return entries;
}
