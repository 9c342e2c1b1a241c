import { createCountMinSketch, MAX_COUNT } from "./count-min-sketch.ts";

/**
 * A cache with a maximum total weight that keeps the values that are used most often. One pass over
 * many values evicts none of them.
 */
export interface FrequencyCache<K, V> {
  /** Counts a use if the value is cached. */
  get(key: K): V | undefined;
  /** Counts a use of a value that is not cached. Says whether `set` is worth its cost. */
  miss(key: K, weight: number): Miss;
  /** Evicts what it has to. Does not cache a value that weighs more than the maximum. */
  set(key: K, value: V, weight: number): void;
  delete(key: K): void;
  /** Removes all values, and forgets how often they were used. */
  clear(): void;
}

export interface Miss {
  /** It was used before, not long ago. */
  readonly isRepeated: boolean;
  /** There is room, or it is used more often than all values that would go. */
  readonly isAdmitted: boolean;
}

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
  uses: number;
  /** The period in which `uses` was up to date: it halves with each. */
  period: number;
}

/** A period ends after this many uses for each cached value. */
const USES_PER_VALUE = 8;
const MIN_USES = 4 * 1024;
/** When values are used in turns, one may just have been used once more than another. */
const TIE = 1;
/** Bounds the work of one `miss`. */
const MAX_COMPARED = 256;
/** Eight times the uses of the shortest period. */
const SKETCH_WIDTH = 32 * 1024;

/**
 * Admission by frequency as in TinyLFU (Einziger, Friedman and Manes, "TinyLFU: A Highly Efficient Cache
 * Admission Policy", 2017). Values that are used in turns are all used equally often, so none of a set
 * larger than the cache displaces another, and as many as fit are found. A `get` is one map lookup.
 *
 * `hashOf`: 32 bits.
 */
export function createFrequencyCache<K, V>(
  maxWeight: number,
  hashOf: (key: K) => number,
): FrequencyCache<K, V> {
  /** The one whose turn it is to be compared comes first. */
  const entries = new Map<K, Entry<V>>();
  /** Uses of values that are not cached. */
  const sketch = createCountMinSketch(SKETCH_WIDTH);
  let total = 0;
  let period = 0;
  let usesInPeriod = 0;

  const usesOf = (entry: Entry<V>): number => entry.uses >>> Math.min(period - entry.period, 31);

  function countUse(): void {
    usesInPeriod += 1;
    if (usesInPeriod < Math.max(USES_PER_VALUE * entries.size, MIN_USES)) return;
    usesInPeriod = 0;
    period += 1;
    sketch.halve();
  }

  function remove(key: K): void {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  }

  /** Whether all values that would have to go are used clearly less often than `uses`. */
  function outranksVictims(uses: number, weight: number): boolean {
    let room = maxWeight - total;
    let compared = 0;
    for (const [key, entry] of entries) {
      if (room >= weight) return true;
      compared += 1;
      if (usesOf(entry) + TIE >= uses || compared === MAX_COMPARED) {
        // Another one's turn.
        entries.delete(key);
        entries.set(key, entry);
        return false;
      }
      room += entry.weight;
    }
    return room >= weight;
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entry.uses = Math.min(usesOf(entry) + 1, MAX_COUNT);
      entry.period = period;
      countUse();
      return entry.value;
    },
    miss(key, weight) {
      const uses = sketch.add(hashOf(key));
      countUse();
      return { isRepeated: uses > 1, isAdmitted: outranksVictims(uses, weight) };
    },
    set(key, value, weight) {
      remove(key);
      if (weight > maxWeight) return;
      for (const [first] of entries) {
        if (total + weight <= maxWeight) break;
        remove(first);
      }
      entries.set(key, { value, weight, uses: sketch.count(hashOf(key)), period });
      total += weight;
    },
    delete: remove,
    clear() {
      if (entries.size === 0 && usesInPeriod === 0) return;
      entries.clear();
      sketch.clear();
      total = 0;
      usesInPeriod = 0;
    },
  };
}
