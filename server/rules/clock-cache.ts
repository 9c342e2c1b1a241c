/** A cache with a maximum total weight whose values stay for as long as they are used. */
export interface ClockCache<K, V> {
  get(key: K): V | undefined;
  /** Whether a value of this weight can be added without removing others. */
  hasRoom(weight: number): boolean;
  /** Does not cache a value that weighs more than the maximum. */
  set(key: K, value: V, weight: number): void;
  delete(key: K): void;
}

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
  wasUsed: boolean;
}

/** What one `set` may look at, so that none takes long: with this many used values, the oldest goes. */
const MAX_PASSED = 64;

/**
 * Evicts by second chance (Corbató, "A Paging Experiment with the Multics System", 1968): the oldest
 * value that was not used since its last turn goes. A `get` is one map lookup and one assignment.
 */
export function createClockCache<K, V>(maxWeight: number): ClockCache<K, V> {
  // In order of their turns, the next one first.
  const entries = new Map<K, Entry<V>>();
  let total = 0;

  function remove(key: K): void {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  }

  function evictOne(): void {
    let passed = 0;
    for (const [key, entry] of entries) {
      if (!entry.wasUsed || passed === MAX_PASSED) {
        remove(key);
        return;
      }
      entry.wasUsed = false;
      passed += 1;
      entries.delete(key);
      entries.set(key, entry);
    }
  }

  const hasRoom = (weight: number): boolean => total + weight <= maxWeight;

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entry.wasUsed = true;
      return entry.value;
    },
    hasRoom,
    set(key, value, weight) {
      remove(key);
      if (weight > maxWeight) return;
      while (!hasRoom(weight)) evictOne();
      entries.set(key, { value, weight, wasUsed: false });
      total += weight;
    },
    delete: remove,
  };
}
