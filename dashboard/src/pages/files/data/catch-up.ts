import { hashKey, type InfiniteData, type QueryClient } from "@tanstack/react-query";
import type { FolderPage } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { type ListOrder, placeFiles } from "./place-files.ts";

export type FolderPages = InfiniteData<FolderPage, string>;

/** Files that are asked for at once, and how often: an upload may have brought thousands. */
const PAGE = 200;
const MOST_PAGES = 10;

/** How often each list has begun to catch up: an answer that was overtaken has older folders. */
const begun = new Map<string, number>();

/**
 * Brings a long list up to date without reading it again: asks for its folders and for the files
 * that changed last, until nothing among them is new, and puts each to its place. What is gone it
 * does not see.
 */
export async function catchUp(
  client: QueryClient,
  queryKey: readonly unknown[],
  key: string,
  order: ListOrder,
): Promise<void> {
  const list = hashKey(queryKey);
  const mine = (begun.get(list) ?? 0) + 1;
  begun.set(list, mine);
  let cursor: string | null = "";
  for (let page = 0; page < MOST_PAGES && cursor !== null; page += 1) {
    const fresh: FolderPage = await holdall.folders.page(
      { key },
      { cursor, limit: PAGE, orderBy: "updatedAt", orderDirection: "DESC" },
    );
    if (begun.get(list) !== mine) return;
    const isFirst = page === 0;
    let isNew = false;
    client.setQueryData<FolderPages>(queryKey, (data) => {
      if (data === undefined) return undefined;
      const placed = placeFiles(data.pages, fresh.files, order);
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
