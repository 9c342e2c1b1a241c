import type { Query, QueryClient } from "@tanstack/react-query";
import type { ChangeObject } from "../../../../../sdk/src/holdall.ts";
import { parentKey } from "../../../text/key-parts.ts";

export const folderPeeksKey = ["folder-peeks"] as const;

/** During an upload, changes arrive several times a second. Peeks need no hurry. */
const INTERVAL_MS = 5_000;

/** Where a changed file is, and was. */
type ChangedKey = Pick<ChangeObject, "key" | "fromKey">;

/** Marks those that changes of files may have changed, default: all, and loads those on screen again, soon. */
export type RefreshPeeks = (client: QueryClient, changes?: readonly ChangedKey[]) => void;

export const refreshPeeks = createRefreshPeeks(INTERVAL_MS);

/** Loads at most once in each interval, and never cancels a request that is running. */
export function createRefreshPeeks(intervalMs: number): RefreshPeeks {
  const changed = new Set<Query>();
  let isRunning = false;

  async function refreshChanged(client: QueryClient): Promise<void> {
    isRunning = true;
    while (changed.size > 0) {
      const queries = new Set(changed);
      changed.clear();
      // A running request may have read what was there before the changes.
      await Promise.allSettled([...queries].map(({ promise }) => promise));
      await client.invalidateQueries(
        { queryKey: folderPeeksKey, predicate: (query) => queries.has(query) },
        { cancelRefetch: false },
      );
      await new Promise((resolve) => setTimeout(resolve, intervalMs));
    }
    isRunning = false;
  }

  return (client, changes) => {
    const parents = changes && parentsOf(changes);
    const queries = client.getQueryCache().findAll({
      queryKey: folderPeeksKey,
      predicate: ({ queryKey: [, key] }) => parents === undefined || parents.has(key),
    });
    for (const query of queries) changed.add(query);
    if (!isRunning) void refreshChanged(client);
  };
}

/** The keys of the folders that contain the folders of the changed files. */
const parentsOf = (changes: readonly ChangedKey[]): ReadonlySet<unknown> =>
  new Set(
    changes
      .flatMap(({ key, fromKey }) => [key, fromKey ?? key])
      .map((key) => parentKey(parentKey(key) ?? ""))
      .filter((key) => key !== undefined),
  );
