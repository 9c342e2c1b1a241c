/** Values that were used lately, up to a total weight. What has not been used for longest goes first, roughly. */
export interface Recent<K, V> {
  get(key: K): V | undefined;
  /** What weighs more than half of all that may be kept is not kept. */
  set(key: K, value: V, weight: number): void;
  delete(key: K): void;
  clear(): void;
}

interface Kept<V> {
  readonly value: V;
  readonly weight: number;
}

/**
 * Keeps between half of `most` and all of it: new and used values gather in one half, and when that
 * is full the other half is let go and they begin anew. So nothing is moved or counted one by one
 * in order to make room.
 */
export function createRecent<K, V>(most: number): Recent<K, V> {
  let young = new Map<K, Kept<V>>();
  let old = new Map<K, Kept<V>>();
  let weight = 0;

  function keep(key: K, kept: Kept<V>): void {
    if (weight + kept.weight > most / 2) {
      old = young;
      young = new Map();
      weight = 0;
    }
    young.set(key, kept);
    weight += kept.weight;
  }

  function remove(key: K): void {
    const kept = young.get(key);
    if (kept !== undefined) weight -= kept.weight;
    young.delete(key);
    old.delete(key);
  }

  return {
    get(key) {
      const found = young.get(key);
      if (found !== undefined) return found.value;
      const older = old.get(key);
      if (older === undefined) return undefined;
      old.delete(key);
      keep(key, older);
      return older.value;
    },
    set(key, value, weight) {
      remove(key);
      if (weight <= most / 2) keep(key, { value, weight });
    },
    delete: remove,
    clear() {
      young.clear();
      old.clear();
      weight = 0;
    },
  };
}
