import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { FileObject, FolderPage } from "../../../../../sdk/src/holdall.ts";
import { sizeKey } from "./use-content-size.ts";
import { folderKey } from "./use-folder.ts";
import { subfoldersKey } from "./use-subfolders.ts";

type Pages = InfiniteData<FolderPage, string>;

/** More pages than these are not all read again after a change: what is known of it is put in. */
const FEW_PAGES = 3;

/** Puts what the server answered in the place of what is shown. */
export function patchFiles(client: QueryClient, changed: readonly FileObject[]): void {
  const byId = new Map(changed.map((file) => [file.id, file]));
  eachPage(client, (page) => ({
    ...page,
    files: page.files.map((file) => byId.get(file.id) ?? file),
  }));
}

/** Takes entries out of every list. */
export function dropEntries(client: QueryClient, ids: ReadonlySet<string>): void {
  eachPage(client, (page) => ({
    ...page,
    files: page.files.filter(({ id }) => !ids.has(id)),
    folders: page.folders.filter(({ id }) => !ids.has(id)),
  }));
}

function eachPage(client: QueryClient, change: (page: FolderPage) => FolderPage): void {
  client.setQueriesData<Pages>({ queryKey: folderKey }, (data) =>
    data === undefined ? undefined : { ...data, pages: data.pages.map(change) },
  );
}

/** Reads again what a change may have touched, and sizes and trees with it. */
export async function refreshFolders(client: QueryClient): Promise<void> {
  const isShort = (data: unknown): boolean =>
    typeof data !== "object" || data === null || !("pages" in data)
      ? true
      : Array.isArray(data.pages) && data.pages.length <= FEW_PAGES;
  await Promise.all([
    client.invalidateQueries({ queryKey: subfoldersKey }),
    client.invalidateQueries({ queryKey: sizeKey }),
    client.invalidateQueries({ queryKey: folderKey, refetchType: "none" }),
    client.refetchQueries({
      queryKey: folderKey,
      type: "active",
      predicate: (query) => isShort(query.state.data),
    }),
  ]);
}
