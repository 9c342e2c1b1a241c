import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { followChanges } from "../../app/connection/change-stream.ts";
import { holdall } from "../../app/connection/client.ts";
import { trashKey } from "../../trash/trash-key.ts";

const PAGE_SIZE = 200;

/** The trash, latest deletion first, page by page. */
export function useTrash() {
  const query = useInfiniteQuery({
    queryKey: [...trashKey, "list"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      holdall.trash.list({ limit: PAGE_SIZE, cursor: pageParam || undefined, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data } = query;
  const items = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.items) ?? [];
    // An item may have moved between pages while they were loaded.
    return [...new Map(all.map((item) => [item.id, item])).values()];
  }, [data]);
  return { ...query, items, totals: data?.pages[0]?.totals };
}

/** Reads the trash again after deletions and restores, by anyone. */
export function useLiveTrash(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () => void client.invalidateQueries({ queryKey: trashKey });
    return followChanges({
      onChanges: (changes) => {
        if (changes.some(({ kind }) => /\.(?:deleted|restored)$/.test(kind))) refresh();
      },
      onGap: refresh,
    });
  }, [client]);
}
