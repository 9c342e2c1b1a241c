import { cacheCounts } from "../../domain/process-figures.ts";
import type { Key } from "../../domain/records.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import { createTwoGenerationCache } from "../../lib/two-generation-cache.ts";
import type { CacheSize } from "../records/record-cache.ts";
import type { RecentChanges } from "./recent-changes.ts";

export interface FolderCacheOptions<Value> extends CacheSize<Value> {
  /** Whether the values depend on folders only, not on the files in them. */
  readonly foldersOnly: boolean;
}

export interface FolderCache<Value> {
  /** What `find` returns for the folder with this key; `name` tells it from other values of it. */
  get(folder: Key, name: string, find: () => MaybePromise<Value>): MaybePromise<Value>;
}

interface Entry<Value> {
  readonly value: Value;
  /** The value includes all changes up to this number. */
  seq: number;
}

/**
 * Caches what was found in folders until the change feed has an entry that concerns them. Values must
 * not depend on anything that changes without an entry. No answer is older than the question.
 */
export function createFolderCache<Value>(
  recent: RecentChanges,
  { maxBytes, weigh, foldersOnly }: FolderCacheOptions<Value>,
): FolderCache<Value> {
  const cache = createTwoGenerationCache<string, Entry<Value>>(maxBytes);

  return {
    get: (folder, name, find) =>
      chain(recent.last(), (seq) => {
        const key = `${name} ${folder}`;
        const entry = cache.get(key);
        if (entry !== undefined && !recent.concern(folder, entry.seq, foldersOnly)) {
          cacheCounts.lists.hits += 1;
          entry.seq = seq;
          return entry.value;
        }
        cacheCounts.lists.misses += 1;
        return chain(find(), (value) => {
          cache.set(key, { value, seq }, weigh(value) + 4 * key.length);
          return value;
        });
      }),
  };
}
