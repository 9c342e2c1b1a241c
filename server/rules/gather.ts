export interface GatherOptions<Item, Result> {
  /** How many calls of `work` may run at the same time. */
  readonly concurrency: number;
  /** Items of one call. */
  readonly maxItems: number;
  /** Returns the result of each item, in their order. When it rejects, all of these items do. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
}

/**
 * Does the work of many callers together. An item that comes when nothing runs is worked on at once and
 * alone. Those that come while `concurrency` calls run wait for one of them to end, and share the next:
 * the more there is to do, the more of them share one.
 */
export function createGather<Item, Result>({
  concurrency,
  maxItems,
  work,
}: GatherOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: { readonly item: Item; readonly settle: PromiseWithResolvers<Result> }[] = [];
  let running = 0;

  async function runNext(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      const now = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      try {
        const results = await work(now.map(({ item }) => item));
        if (results.length !== now.length) throw new Error("Each item must have a result.");
        for (const [index, result] of results.entries()) now[index]?.settle.resolve(result);
      } catch (cause) {
        for (const { settle } of now) settle.reject(cause);
      }
    }
    running -= 1;
  }

  return (item) => {
    const settle = Promise.withResolvers<Result>();
    waiting.push({ item, settle });
    if (running < concurrency) void runNext();
    return settle.promise;
  };
}
