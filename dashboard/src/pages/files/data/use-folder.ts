import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { FolderObject, FolderPage } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { type FilesView, ORDERS } from "../state/view.ts";
import { type Entry, entryOfFile, entryOfFolder } from "./entry.ts";
import type { ListOrder } from "./place-files.ts";

/** The first page is small, so that it is there at once. */
const FIRST_PAGE = 200;
const PAGE = 1_000;

export const folderKey = ["folder"] as const;

export interface FolderPlace extends ListOrder {
  readonly key: string;
}

/** Which folder a query reads, and in which order; undefined where it reads something else. */
export function placeOf([, key, orderBy, direction]: readonly unknown[]): FolderPlace | undefined {
  const order = ORDERS.find((each) => each === orderBy);
  if (typeof key !== "string" || order === undefined) return undefined;
  return { key, orderBy: order, direction: direction === "DESC" ? "DESC" : "ASC" };
}

export interface FolderListing {
  readonly folder: FolderObject | undefined;
  /** What has been read so far: folders first. */
  readonly entries: readonly Entry[];
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly error: Error | null;
  /** Nothing is known of the folder yet. */
  readonly isPending: boolean;
  readonly readMore: () => void;
  /** Reads all that is left and answers with everything. */
  readonly readAll: () => Promise<readonly Entry[]>;
  readonly retry: () => void;
}

/** The content of a folder, page by page. The one place that knows how pages are asked for. */
export function useFolder({ key, orderBy, direction }: FilesView): FolderListing {
  const query = useInfiniteQuery({
    queryKey: [...folderKey, key, orderBy, direction],
    queryFn: ({ pageParam: cursor, signal }) =>
      holdall.folders.page(
        { key },
        {
          limit: cursor === "" ? FIRST_PAGE : PAGE,
          cursor,
          orderBy,
          orderDirection: direction,
          signal,
        },
      ),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Comparing a hundred thousand files with their successors would stop the page.
    structuralSharing: false,
    // Another order shows the old one until it is there; another folder does not.
    placeholderData: (previous, before) => (before?.queryKey[1] === key ? previous : undefined),
  });

  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = query;
  const byName = orderBy === "name" ? direction : "ASC";
  const entries = useMemo(() => entriesOf(data?.pages ?? [], byName), [data, byName]);

  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);

  const readAll = useCallback(async () => {
    let result = await fetchNextPage({ cancelRefetch: false });
    while (result.hasNextPage) {
      if (result.isError) throw result.error;
      result = await fetchNextPage();
    }
    return entriesOf(result.data?.pages ?? [], byName);
  }, [fetchNextPage, byName]);

  return {
    folder: data?.pages[0]?.folder,
    entries,
    hasMore: hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    error: query.error,
    isPending: query.isPending,
    readMore,
    readAll: hasNextPage ? readAll : async () => entries,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}

const collator = new Intl.Collator(undefined, { numeric: true });

function entriesOf(pages: readonly FolderPage[], byName: "ASC" | "DESC"): Entry[] {
  const folders = (pages[0]?.folders ?? []).toSorted((one, other) =>
    collator.compare(one.name, other.name),
  );
  if (byName === "DESC") folders.reverse();
  const entries = folders.map(entryOfFolder);
  const seen = new Set<string>();
  for (const { files } of pages) {
    for (const file of files) {
      // Between two pages a file may have moved from one to the other.
      if (seen.has(file.id)) continue;
      seen.add(file.id);
      entries.push(entryOfFile(file));
    }
  }
  return entries;
}
