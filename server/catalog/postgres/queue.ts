import { Fault } from "../../domain/faults/fault.ts";

/** Admits a limited number at a time, first come, first served. */
export interface Queue {
  /** Resolves when admitted. Fault "unavailable": the timeout passed. */
  enter(): Promise<void>;
  /** To be called once after each `enter` that resolved. */
  leave(): void;
}

export interface QueueOptions {
  readonly limit: number;
  readonly timeoutMs: number;
  /**
   * Once a wait has timed out, the timeout until nobody waits any more. One request may wait several times:
   * while the queue is overloaded, their sum must stay close to one timeout.
   */
  readonly overloadedTimeoutMs: number;
}

interface Waiter {
  readonly since: number;
  readonly admit: () => void;
  readonly refuse: (fault: Fault) => void;
}

export function createQueue({ limit, timeoutMs, overloadedTimeoutMs }: QueueOptions): Queue {
  /** In the order of arrival. */
  const waiting = new Set<Waiter>();
  let free = limit;
  let isOverloaded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Refuses those that have waited too long, and waits for the next. */
  function refuseLate(): void {
    timer = undefined;
    for (const waiter of waiting) {
      const left =
        waiter.since + (isOverloaded ? overloadedTimeoutMs : timeoutMs) - performance.now();
      if (left > 0) {
        timer = setTimeout(refuseLate, left);
        return;
      }
      isOverloaded = true;
      waiting.delete(waiter);
      waiter.refuse(busy());
    }
    isOverloaded = false;
  }

  return {
    async enter() {
      if (free > 0) {
        free -= 1;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.add({ since: performance.now(), admit: resolve, refuse: reject });
      if (timer === undefined) refuseLate();
      await promise;
    },
    leave() {
      const [next] = waiting;
      if (next === undefined) {
        free += 1;
        return;
      }
      waiting.delete(next);
      next.admit();
    },
  };
}

/** The fault when no connection has become free in time. */
export function busy(): Fault {
  return new Fault("unavailable", "The catalog is busy. Please try again.", { retryAfter: 1 });
}
