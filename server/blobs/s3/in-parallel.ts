/** Does the work for every item, for so many at once. All have ended when it ends; it rejects with the first failure. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const left = { [Symbol.iterator]: () => rest };
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
