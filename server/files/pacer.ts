/** Thrown out of a wait that was stopped. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

/** Spreads work evenly over time. */
export interface Pacer {
  /** Resolves when so many bytes may be done with; throws `Stopped`. No time is saved up. */
  spend(bytes: number): Promise<void>;
  /** Throws `Stopped`. */
  wait(milliseconds: number): Promise<void>;
  /** Ends every wait, those to come included. */
  stop(): void;
}

/** At most this many bytes a second. */
export function createPacer(rate: number): Pacer {
  const stopped = Promise.withResolvers<never>();
  // Nobody may be waiting when it is stopped.
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
