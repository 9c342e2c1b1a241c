/** Runs work when one of a number of slots is free, in the order of the calls. */
export type InSlot = <T>(work: () => Promise<T>) => Promise<T>;

export function createSlots(count: number): InSlot {
  let free = count;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
