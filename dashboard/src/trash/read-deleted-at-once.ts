import type { QueryClient } from "@tanstack/react-query";
import { settingsQuery } from "../app/settings-query.ts";

/** Used if the settings cannot be read. */
const DEFAULT_DELETED_AT_ONCE = 100;

/**
 * How many ids the server takes in one request that deletes or restores. Each deletion is undone by
 * itself, so that the fewest requests are the fewest steps of an undo.
 */
export const readDeletedAtOnce = (client: QueryClient): Promise<number> =>
  client.fetchQuery(settingsQuery).then(
    ({ maxDeleteBatch }) => maxDeleteBatch.value,
    () => DEFAULT_DELETED_AT_ONCE,
  );
