/**
 * Calls `work` for each item, up to `concurrency` at a time, and takes an item only when a slot is
 * free. After a failure no further items are started; the first failure is thrown once the calls in
 * progress have ended, so the caller may close what they use. Keeps no results, so memory does not
 * grow with the number of items. (`p-map` does neither.)
 */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncGenerator<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const failures: unknown[] = [];

  async function worker(): Promise<void> {
    while (failures.length === 0) {
      try {
        const next = await iterator.next();
        if (next.done) return;
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  }

  await Promise.all(Array.from({ length: concurrency }, worker));
  await iterator.return?.(undefined);
  if (failures.length > 0) throw failures[0];
}
