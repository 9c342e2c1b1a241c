import type { Tally } from "./counter-buffer.ts";

/** Counts of an item since it is kept; those from before are missing. */
export interface ItemCounts {
  readonly requests: number;
  readonly bytes: number;
  /** At most `requests`. Decides which items are kept. */
  readonly weight: number;
}

/** Counts the requests for the items with the most, in bounded memory. */
export interface FrequentItems extends Tally<ItemCounts> {
  /** Adds a request, or what another counter has taken. */
  add(id: string, counts: ItemCounts): void;
  /** Returns the counts of at most `max` items, and begins anew. */
  take(): (readonly [id: string, counts: ItemCounts])[];
}

/** Up to this many times as many items are counted before the lightest go, so that this is rare. */
const SPARE = 4;

/**
 * The algorithm of Misra and Gries ("Finding Repeated Elements", 1982), extended to sums of several
 * counters by Agarwal et al. ("Mergeable Summaries", 2012). Whenever there are too many items, the `max`
 * with the most weight are kept, and each loses the weight of the heaviest of the others. So a count is
 * never too high (unless a counter is added twice, as after a commit on PostgreSQL whose outcome stays
 * unknown), and of n requests in all, it misses at most n / (max + 1), however often counters are added
 * up. With at most `max` items, counts are exact.
 */
export function createFrequentItems(max: number): FrequentItems {
  interface Counts {
    requests: number;
    bytes: number;
    weight: number;
  }
  let items = new Map<string, Counts>();

  function countsOf(id: string): Counts {
    const known = items.get(id);
    if (known !== undefined) return known;
    if (items.size >= SPARE * max) keepHeaviest();
    const added = { requests: 0, bytes: 0, weight: 0 };
    items.set(id, added);
    return added;
  }

  function keepHeaviest(): void {
    const weights = new Float64Array(items.size);
    let at = 0;
    for (const { weight } of items.values()) {
      weights[at] = weight;
      at += 1;
    }
    // Sorting numbers costs much less than sorting the items.
    const excess = weights.sort()[items.size - max - 1] ?? 0;
    const heavier = items.size - 1 - weights.lastIndexOf(excess);
    /** For items that weigh as much as the heaviest of those that go. */
    let room = max - heavier;
    const kept = new Map<string, Counts>();
    for (const [id, counts] of items) {
      counts.weight -= excess;
      if (counts.weight < 0) continue;
      if (counts.weight === 0) {
        if (room === 0) continue;
        room -= 1;
      }
      kept.set(id, counts);
    }
    items = kept;
  }

  return {
    add(id, { requests, bytes, weight }) {
      const counts = countsOf(id);
      counts.requests += requests;
      counts.bytes += bytes;
      counts.weight += weight;
    },
    get: (id) => items.get(id),
    take() {
      if (items.size > max) keepHeaviest();
      const taken = [...items];
      items = new Map();
      return taken;
    },
  };
}
