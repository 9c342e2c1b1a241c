/**
 * Does the work for each item, so many at a time. When one fails, no further ones are begun, and
 * the first failure is thrown once those under way have ended.
 */
export async function sideBySide<T>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = items[Symbol.asyncIterator]();
  const failures: unknown[] = [];

  async function worker(): Promise<void> {
    while (failures.length === 0) {
      try {
        const next = await source.next();
        if (next.done) return;
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  }

  await Promise.all(Array.from({ length: atOnce }, worker));
  await source.return?.();
  if (failures.length > 0) throw failures[0];
}
