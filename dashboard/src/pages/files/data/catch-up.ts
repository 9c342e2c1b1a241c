import { hashKey, type InfiniteData, type QueryClient } from "@tanstack/react-query";
import type { FolderPage } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { insertFiles, type ListOrder } from "./insert-files.ts";

export type FolderPages = InfiniteData<FolderPage, string>;

/** Files per request, and the most requests: an upload may have added thousands of files. */
const PAGE_SIZE = 200;
const MAX_PAGES = 10;

/** Runs per list. A response that a later run has overtaken is outdated and dropped. */
const runs = new Map<string, number>();

/**
 * Updates a long list without refetching it: reads its folders and the most recently changed files,
 * until a page has nothing new, and inserts them in order. Does not notice deletions.
 */
export async function catchUp(
  client: QueryClient,
  queryKey: readonly unknown[],
  key: string,
  order: ListOrder,
): Promise<void> {
  const list = hashKey(queryKey);
  const run = (runs.get(list) ?? 0) + 1;
  runs.set(list, run);
  let cursor: string | null = "";
  for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
    const fresh: FolderPage = await holdall.folders.page(
      { key },
      {
        ...{ cursor, limit: PAGE_SIZE, orderBy: "updatedAt", orderDirection: "DESC" },
        include: ["lifetime"],
      },
    );
    if (runs.get(list) !== run) return;
    const isFirst = page === 0;
    let isNew = false;
    client.setQueryData<FolderPages>(queryKey, (data) => {
      if (data === undefined) return undefined;
      const placed = insertFiles(data.pages, fresh.files, order);
      isNew = placed !== data.pages;
      const [first, ...others] = placed;
      if (first === undefined) return data;
      const head = isFirst ? { ...first, folder: fresh.folder, folders: fresh.folders } : first;
      return { ...data, pages: [head, ...others] };
    });
    if (!isNew) return;
    cursor = fresh.nextCursor;
  }
}
