/** Time from the first call of `schedule` to the first write. */
const FIRST_DELAY_MS = 1000;
/** Minimum time between two writes that nobody waits for. */
const INTERVAL_MS = 60_000;

/** Writes what was collected in memory a while later, so that many requests cause one write. */
export interface DelayedWrites {
  /** Lets `write` run soon, at most once a minute. */
  schedule(): void;
  /** Runs `write` now, after those that are running. */
  flush(): Promise<void>;
}

/** `write` must not throw. */
export function createDelayedWrites(write: () => Promise<void>): DelayedWrites {
  let timer: Timer | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let last: Promise<void> = Promise.resolve();

  async function writeNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    lastAt = performance.now();
    await write();
  }

  /** One after another, so that awaiting one also awaits those already running. */
  function flush(): Promise<void> {
    last = last.then(writeNow);
    return last;
  }

  return {
    schedule() {
      if (timer !== undefined) return;
      const delay = lastAt + INTERVAL_MS - performance.now();
      timer = setTimeout(flush, Math.max(FIRST_DELAY_MS, delay));
      timer.unref();
    },
    flush,
  };
}
