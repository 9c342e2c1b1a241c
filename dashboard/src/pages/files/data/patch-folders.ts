import type { Query, QueryClient } from "@tanstack/react-query";
import type { FileObject, FolderPage } from "../../../../../sdk/src/holdall.ts";
import { catchUp, type FolderPages } from "./catch-up.ts";
import { folderKey, folderQueryOf } from "./folder-query.ts";
import { insertFiles } from "./insert-files.ts";
import { refreshDetails } from "./refresh-details.ts";
import { refreshPeeks } from "./refresh-peeks.ts";
import { refreshSearchesNow } from "./refresh-searches.ts";
import { folderSizeKey } from "./use-content-size.ts";
import { folderVisibilityKey } from "./use-folder-visibility.ts";
import { subfoldersKey } from "./use-subfolders.ts";

/** Lists with more pages than this are patched after a change instead of refetched. */
const MAX_REFETCHED_PAGES = 3;

/**
 * Replaces changed files in every cached list, moving them to their new position. In search results they stay where they
 * are until the search is refreshed.
 */
export function patchFiles(client: QueryClient, changed: readonly FileObject[]): void {
  const byId = new Map(changed.map((file) => [file.id, file]));
  const lists = client.getQueriesData<FolderPages>({ queryKey: folderKey });
  for (const [queryKey, data] of lists) {
    if (data === undefined) continue;
    const order = folderQueryOf(queryKey);
    const folderId = data.pages[0]?.folder?.id;
    const pages =
      order === undefined
        ? data.pages.map((page) => ({
            ...page,
            files: page.files.map((file) => byId.get(file.id) ?? file),
          }))
        : insertFiles(
            data.pages,
            changed.filter((file) => file.folderId === folderId),
            order,
          );
    client.setQueryData<FolderPages>(queryKey, { ...data, pages: [...pages] });
  }
}

/** Removes deleted entries from every cached list. */
export function removeEntries(client: QueryClient, ids: ReadonlySet<string>): void {
  removeFrom(client, ids, () => true);
}

/** Removes moved entries from their old folders and inserts the files into the new one. */
export function moveEntries(
  client: QueryClient,
  ids: ReadonlySet<string>,
  files: readonly FileObject[],
): void {
  // Search results keep moved entries.
  removeFrom(client, ids, (queryKey) => folderQueryOf(queryKey) !== undefined);
  patchFiles(client, files);
}

function removeFrom(
  client: QueryClient,
  ids: ReadonlySet<string>,
  matches: (queryKey: readonly unknown[]) => boolean,
): void {
  const change = (page: FolderPage): FolderPage => ({
    ...page,
    files: page.files.filter(({ id }) => !ids.has(id)),
    folders: page.folders.filter(({ id }) => !ids.has(id)),
  });
  client.setQueriesData<FolderPages>(
    { queryKey: folderKey, predicate: ({ queryKey }) => matches(queryKey) },
    (data) => (data === undefined ? undefined : { ...data, pages: data.pages.map(change) }),
  );
}

/**
 * Refreshes all lists, sizes and trees after a change. Resolves when the lists of folders are loaded: a search can take
 * long.
 */
export async function refreshFolders(client: QueryClient): Promise<void> {
  void refreshSearchesNow(client);
  await refreshLists(client);
}

/** Refreshes what `refreshFolders` does, but for searches. */
export async function refreshLists(client: QueryClient): Promise<void> {
  const active = client.getQueryCache().findAll({ queryKey: folderKey, type: "active" });
  refreshPeeks(client);
  await Promise.all([
    client.invalidateQueries({ queryKey: subfoldersKey }),
    client.invalidateQueries({ queryKey: folderSizeKey }),
    client.invalidateQueries({ queryKey: folderVisibilityKey }),
    client.invalidateQueries({ queryKey: folderKey, refetchType: "none" }),
    refreshDetails(client),
    ...active.map((query) => refresh(client, query)),
  ]);
}

async function refresh(client: QueryClient, query: Query): Promise<void> {
  const { queryKey } = query;
  const folderQuery = folderQueryOf(queryKey);
  if (folderQuery === undefined) return;
  const pages = client.getQueryData<FolderPages>(queryKey)?.pages.length ?? 0;
  if (pages <= MAX_REFETCHED_PAGES) {
    return client.refetchQueries({ queryKey, exact: true });
  }
  await catchUp(client, queryKey, folderQuery.key, folderQuery).catch(() => undefined);
}
