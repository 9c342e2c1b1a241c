import { Fault } from "../../rules/fault.ts";

/** So many at a time, the others in the order in which they came, each for a bounded time. */
export interface Turns {
  /** Fault "unavailable": it took too long. */
  take(): Promise<void>;
  /** Ends a turn that was taken. */
  end(): void;
}

export function createTurns(atOnce: number, patienceMs: number): Turns {
  /** In the order of their coming. What is called tells whether its turn has come. */
  const waiting = new Set<() => void>();
  let free = atOnce;

  return {
    async take() {
      if (free > 0) {
        free -= 1;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const timeout = setTimeout(() => {
        waiting.delete(resolve);
        reject(busy());
      }, patienceMs);
      await promise.finally(() => clearTimeout(timeout));
    },
    end() {
      const [next] = waiting;
      if (next === undefined) free += 1;
      else {
        waiting.delete(next);
        next();
      }
    },
  };
}

function busy(): Fault {
  return new Fault("unavailable", "The catalog is busy. Please try again.", { retryAfter: 1 });
}
