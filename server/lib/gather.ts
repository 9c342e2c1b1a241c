export interface GatherOptions<Item, Result> {
  /** How many calls of `work` may run at the same time. */
  readonly concurrency: number;
  /** How long items wait for the latest call before they start another. */
  readonly maxWaitMs: number;
  /** Items of one call. */
  readonly maxItems: number;
  /** Returns the result of each item, in their order. When it rejects, all of these items do. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
}

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item;
}

/**
 * Does the work of many callers together. An item that comes when nothing runs is worked on at once and
 * alone. Those that come during a call share the next, so that the more there is to do, the more of them
 * share one. A slow call does not keep them: see `maxWaitMs`.
 */
export function createGather<Item, Result>({
  concurrency,
  maxWaitMs,
  maxItems,
  work,
}: GatherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  /** The timer of the latest call, until it ends or has run for `maxWaitMs`: until then, items wait. */
  let waitTimer: Timer | undefined;

  function startCall(): void {
    if (waiting.length === 0 || waitTimer !== undefined || running === concurrency) return;
    const timer = setTimeout(() => endWait(timer), maxWaitMs);
    waitTimer = timer;
    running += 1;
    void resolveAll(waiting.splice(0, maxItems)).finally(() => {
      running -= 1;
      clearTimeout(timer);
      endWait(timer);
    });
  }

  function endWait(timer: Timer): void {
    if (waitTimer === timer) waitTimer = undefined;
    startCall();
  }

  async function resolveAll(all: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(all.map(({ item }) => item));
      if (results.length !== all.length) throw new Error("Each item must have a result.");
      for (const [index, result] of results.entries()) all[index]?.resolve(result);
    } catch (cause) {
      for (const { reject } of all) reject(cause);
    }
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, promise, resolve, reject });
    startCall();
    return promise;
  };
}
