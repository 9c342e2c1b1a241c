import type { CacheCounts } from "../../domain/process-figures.ts";
import { createFrequencyCache } from "../../lib/frequency-cache.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import { xxHash32 } from "../../runtime/hash.ts";

export interface CacheSize<Value> {
  /** The limit for the estimated bytes of all entries together. */
  readonly maxBytes: number;
  /** The estimated bytes of a value, without its key. */
  readonly weigh: (value: Value) => number;
}

export interface CountedCache<Value> extends CacheSize<Value> {
  readonly counts: CacheCounts;
}

/**
 * Caches lookups until `generation` changes, as it does after commits of any process: it is read before each,
 * so no answer is older than the question. Absent records are cached too, so that the response time does
 * not tell whether a record exists.
 */
export function cached<Key extends string, Value>(
  generation: () => number,
  { maxBytes, weigh, counts }: CountedCache<Value>,
  find: (key: Key) => MaybePromise<Value>,
): (key: Key) => MaybePromise<Value> {
  const cache = createFrequencyCache<Key, { readonly value: Value }>(maxBytes, xxHash32);
  let cachedGeneration = Number.NaN;

  return (key) => {
    const current = generation();
    if (current !== cachedGeneration) {
      cache.clear();
      cachedGeneration = current;
    }
    const entry = cache.get(key);
    if (entry !== undefined) {
      counts.hits += 1;
      return entry.value;
    }
    counts.misses += 1;
    return chain(find(key), (value) => {
      // Another lookup may have seen a later commit, of which this value knows nothing.
      if (cachedGeneration !== current) return value;
      const weight = weigh(value) + 4 * key.length;
      if (cache.miss(key, weight).isAdmitted) cache.set(key, { value }, weight);
      return value;
    });
  };
}

/**
 * For lookups that read the database each time: gives the object that an earlier one gave as long as its
 * values are the same, so that what was derived from it, such as headers, can be used again. The values
 * must not be objects.
 */
export function recognized<Key extends string, Value extends object>(
  { maxBytes, weigh }: CacheSize<Value>,
  find: (key: Key) => MaybePromise<Value | undefined>,
): (key: Key) => MaybePromise<Value | undefined> {
  const known = createFrequencyCache<Key, Value>(maxBytes, xxHash32);

  return (key) =>
    chain(find(key), (value) => {
      if (value === undefined) return undefined;
      const last = known.get(key);
      if (last !== undefined && isSame(last, value)) return last;
      const weight = weigh(value) + 4 * key.length;
      if (last !== undefined || known.miss(key, weight).isAdmitted) known.set(key, value, weight);
      return value;
    });
}

function isSame<Value extends object>(one: Value, other: Value): boolean {
  for (const name in one) {
    if (one[name] !== other[name]) return false;
  }
  return true;
}
