import { Fault } from "../../rules/fault.ts";

/** Admits a limited number at a time, first come, first served. */
export interface Queue {
  /** Resolves when admitted. Fault "unavailable": the timeout passed. */
  enter(): Promise<void>;
  /** To be called once after each `enter` that resolved. */
  leave(): void;
}

export function createQueue(limit: number, timeoutMs: number): Queue {
  /** In the order of arrival. */
  const waiting = new Set<() => void>();
  let free = limit;

  return {
    async enter() {
      if (free > 0) {
        free -= 1;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const timeout = setTimeout(() => {
        waiting.delete(resolve);
        reject(busy());
      }, timeoutMs);
      await promise.finally(() => clearTimeout(timeout));
    },
    leave() {
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
