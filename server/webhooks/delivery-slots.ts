import { giveWay } from "../lib/time-slices.ts";

/** Few enough that the loop handles their responses, which may come together, within a few milliseconds. */
const SLOTS = 8;
/** A receiver that takes longer keeps no slot: otherwise those that hang would hold up the others. */
const KEPT_MS = 250;

/** Spreads deliveries over time, so that the requests of others do not wait for many of them. */
export function createDeliverySlots() {
  const waiting: (() => void)[] = [];
  let free = SLOTS;

  function release(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  /** Starts the work when a slot is free. */
  return async function inSlot<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1;
    else {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    }
    await giveWay();
    let isKept = true;
    const end = (): void => {
      if (isKept) release();
      isKept = false;
    };
    const timer = setTimeout(end, KEPT_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      end();
    }
  };
}
