import type { QueryClient } from "@tanstack/react-query";
import { holdallWithoutRetries } from "../app/connection/client.ts";
import { settingsQuery } from "../app/session/settings-query.ts";
import { can } from "../rights/rights.ts";

/** Used if the settings cannot be read. */
const DEFAULT_DELETED_AT_ONCE = 100;
const FRESH_MS = 60_000;

/**
 * How many of `count` ids the server takes in one request that deletes or restores. Each deletion is undone
 * by itself, so that the fewest requests are the fewest steps of an undo.
 */
export async function readDeletedAtOnce(client: QueryClient, count: number): Promise<number> {
  // Nothing to ask for.
  if (count <= 1) return 1;
  const cached = client.getQueryState(settingsQuery.queryKey);
  const isFresh = Date.now() - (cached?.dataUpdatedAt ?? 0) < FRESH_MS;
  if (!can("admin")) return DEFAULT_DELETED_AT_ONCE;
  if (cached?.data && isFresh && !cached.isInvalidated) {
    return cached.data.maxDeleteBatch.value;
  }
  // The query would wait until the server takes requests again, and the user for the operation to begin.
  return holdallWithoutRetries.settings.read().then(
    ({ maxDeleteBatch }) => maxDeleteBatch.value,
    () => DEFAULT_DELETED_AT_ONCE,
  );
}
