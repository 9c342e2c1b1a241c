/** Thrown by the waits that `stop` ends. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

/** A rate limiter without bursts. */
export interface Pacer {
  /** Resolves when this many bytes are within the rate; throws `Stopped`. Idle time earns no credit. */
  spend(bytes: number): Promise<void>;
  /** Throws `Stopped`. */
  wait(milliseconds: number): Promise<void>;
  /** Ends every wait, also future ones. */
  stop(): void;
}

/** `rate` in bytes per second. */
export function createPacer(rate: number): Pacer {
  const stopped = Promise.withResolvers<never>();
  // There may be no wait that handles the rejection.
  stopped.promise.catch(() => {});
  let due = 0;

  async function wait(milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    try {
      await Promise.race([stopped.promise, over]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    wait,
    async spend(bytes) {
      const now = performance.now();
      due = Math.max(due, now) + (bytes / rate) * 1000;
      await wait(due - now);
    },
    stop: () => stopped.reject(new Stopped()),
  };
}
