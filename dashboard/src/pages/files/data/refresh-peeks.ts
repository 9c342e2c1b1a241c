import type { Query, QueryClient } from "@tanstack/react-query";
import type { ChangeObject } from "../../../../../sdk/src/holdall.ts";
import { parentKey } from "../../../text/key-parts.ts";

export const folderPeeksKey = ["folder-peeks"] as const;

/** During an upload, changes arrive several times a second. Peeks need no hurry. */
const INTERVAL_MS = 5_000;

/** The places where a changed file or folder is, and was. */
type Change = Pick<ChangeObject, "kind" | "key" | "fromKey">;

/**
 * Marks those that these changes may have changed, and loads those on screen again, soon. Without changes: all, but
 * not those that are being loaded for the first time.
 */
export type RefreshPeeks = (client: QueryClient, changes?: readonly Change[]) => void;

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
      predicate: ({ queryKey: [, key], state }) =>
        parents?.has(key) ?? (state.data !== undefined || state.fetchStatus === "idle"),
    });
    for (const query of queries) changed.add(query);
    if (!isRunning) void refreshChanged(client);
  };
}

/** The keys of the folders whose lists show what has changed: the folder itself, or the folder of a file. */
const parentsOf = (changes: readonly Change[]): ReadonlySet<unknown> =>
  new Set(
    changes
      .flatMap(({ kind, key, fromKey }) =>
        [key, fromKey ?? key].map((each) =>
          kind.startsWith("folder.") ? parentKey(each) : parentKey(parentKey(each) ?? ""),
        ),
      )
      .filter((key) => key !== undefined),
  );
