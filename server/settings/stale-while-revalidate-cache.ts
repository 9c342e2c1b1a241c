/** A copy of what other processes change, too. */
export interface StaleWhileRevalidateCache {
  /**
   * To be awaited before the copy is gone by: undefined, at once, while it holds. Rejects when it does
   * not and cannot be read anew.
   */
  fresh(): Promise<void> | undefined;
  /** Reads anew, whatever holds. */
  refresh(): Promise<void>;
}

/** Milliseconds that a copy holds, counted from before it was read. */
const HOLDS_MS = 500;
/** It is read anew in the background from then on, so that hardly anybody waits. */
const AGES_MS = 250;
/** Clocks of different machines run at the same speed within this much. */
const MARGIN_MS = 50;

/**
 * Resolves when no process goes by a copy any more that was read before now, whatever has become of
 * it: also one that was cut off, or hung, or of which nobody knows.
 */
export const waitForCacheExpiry = (): Promise<void> => Bun.sleep(HOLDS_MS + MARGIN_MS);

interface Reading {
  readonly number: number;
  readonly from: Moment;
  readonly done: Promise<void>;
}

/** By two clocks: the one stands still while a machine sleeps, and the other is set now and then. */
interface Moment {
  readonly steady: number;
  readonly wall: number;
}

const clocks = (): Moment => ({ steady: performance.now(), wall: Date.now() });

/** `take` is given what was read, never something older than it has been given before. */
export function createStaleWhileRevalidateCache<Read>(
  read: () => Promise<Read>,
  take: (found: Read) => void,
  now: () => Moment = clocks,
): StaleWhileRevalidateCache {
  let begun = 0;
  let taken = 0;
  let takenFrom: Moment = { steady: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
  let last: Reading | undefined;

  const age = ({ steady, wall }: Moment): number => {
    const moment = now();
    return Math.max(moment.steady - steady, moment.wall - wall);
  };

  function begin(): Reading {
    begun += 1;
    const number = begun;
    const from = now();
    const done = read().then(
      (found) => {
        if (last?.number === number) last = undefined;
        if (number < taken) return;
        taken = number;
        takenFrom = from;
        take(found);
      },
      (cause: unknown) => {
        if (last?.number === number) last = undefined;
        throw cause;
      },
    );
    last = { number, from, done };
    return last;
  }

  return {
    fresh() {
      const old = age(takenFrom);
      if (old < AGES_MS) return undefined;
      // Whoever comes while it is read may wait for that, as long as it was not begun long ago.
      const reading = last !== undefined && age(last.from) < AGES_MS ? last : begin();
      if (old >= HOLDS_MS) return reading.done;
      // Whoever needs it hears of it.
      reading.done.catch(() => {});
      return undefined;
    },
    refresh: () => begin().done,
  };
}
