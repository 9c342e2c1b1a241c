/** A cache with a maximum total weight that evicts roughly the least recently used values. */
export interface TwoGenerationCache<K, V> {
  get(key: K): V | undefined;
  /** Does not cache a value that weighs more than half of the maximum. */
  set(key: K, value: V, weight: number): void;
  delete(key: K): void;
  clear(): void;
}

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/**
 * New and used values are in the young generation. Once it has half of `maxWeight`, it becomes the old
 * generation, and the previous old generation is dropped. A `get` of a young value is one map lookup.
 * An LRU list is slower: `lru-cache` relinks its list on every `get` and took two to three times as
 * long for the lookups of a hosted file.
 */
export function createTwoGenerationCache<K, V>(maxWeight: number): TwoGenerationCache<K, V> {
  let young = new Map<K, Entry<V>>();
  let old = new Map<K, Entry<V>>();
  let youngWeight = 0;

  function keep(key: K, entry: Entry<V>): void {
    if (youngWeight + entry.weight > maxWeight / 2) {
      old = young;
      young = new Map();
      youngWeight = 0;
    }
    young.set(key, entry);
    youngWeight += entry.weight;
  }

  function remove(key: K): void {
    const entry = young.get(key);
    if (entry !== undefined) youngWeight -= entry.weight;
    young.delete(key);
    old.delete(key);
  }

  return {
    get(key) {
      const entry = young.get(key);
      if (entry !== undefined) return entry.value;
      const oldEntry = old.get(key);
      if (oldEntry === undefined) return undefined;
      old.delete(key);
      keep(key, oldEntry);
      return oldEntry.value;
    },
    set(key, value, weight) {
      remove(key);
      if (weight <= maxWeight / 2) keep(key, { value, weight });
    },
    delete: remove,
    clear() {
      young.clear();
      old.clear();
      youngWeight = 0;
    },
  };
}
