import { sleep } from "../runtime/sleep.ts";
/** A cached value that other processes change too. */
export interface StaleWhileRevalidateCache {
  /**
   * Await this before using the cached value. undefined: it is valid, use it at once. Rejects when it
   * has expired and cannot be read again.
   */
  fresh(): Promise<void> | undefined;
  /** Reads the value again, whatever its age. */
  refresh(): Promise<void>;
}

/** How long a cached value is valid, counted from the start of the read. */
const MAX_AGE_MS = 500;
/** From this age on it is read again in the background, so that requests rarely wait. */
const REVALIDATE_AFTER_MS = 250;
/** Allowance for clocks of different machines that run at different speeds. */
const CLOCK_MARGIN_MS = 50;

/**
 * Resolves when every value cached before this call has expired in every process, including processes
 * that hang, are disconnected or are unknown to this one.
 */
export const waitForCacheExpiry = (): Promise<void> => sleep(MAX_AGE_MS + CLOCK_MARGIN_MS);

interface PendingRead {
  readonly number: number;
  readonly startedAt: Moment;
  readonly done: Promise<void>;
}

/** Two clocks: the monotonic one stops while a machine sleeps, the wall clock may be set. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

const clocks = (): Moment => ({ monotonic: performance.now(), wall: Date.now() });

/** Calls `store` with each value read, never with one older than the value before. */
export function createStaleWhileRevalidateCache<Value>(
  read: () => Promise<Value>,
  store: (value: Value) => void,
  now: () => Moment = clocks,
): StaleWhileRevalidateCache {
  let reads = 0;
  let storedRead = 0;
  let storedAt: Moment = { monotonic: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
  let pending: PendingRead | undefined;

  const age = ({ monotonic, wall }: Moment): number => {
    const moment = now();
    return Math.max(moment.monotonic - monotonic, moment.wall - wall);
  };

  function startRead(): PendingRead {
    reads += 1;
    const number = reads;
    const startedAt = now();
    const done = read().then(
      (value) => {
        if (pending?.number === number) pending = undefined;
        if (number < storedRead) return;
        storedRead = number;
        storedAt = startedAt;
        store(value);
      },
      (cause: unknown) => {
        if (pending?.number === number) pending = undefined;
        throw cause;
      },
    );
    pending = { number, startedAt, done };
    return pending;
  }

  return {
    fresh() {
      const valueAge = age(storedAt);
      if (valueAge < REVALIDATE_AFTER_MS) return undefined;
      // Callers share a pending read that started recently.
      const recent =
        pending !== undefined && age(pending.startedAt) < REVALIDATE_AFTER_MS ? pending : undefined;
      const current = recent ?? startRead();
      if (valueAge >= MAX_AGE_MS) return current.done;
      // A failure is only reported to callers that need the value.
      current.done.catch(() => {});
      return undefined;
    },
    refresh: () => startRead().done,
  };
}
