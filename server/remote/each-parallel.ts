/**
 * Calls `work` for each item, for at most `limit` at once, and takes the next item only then. After the
 * first error takes no more, waits for the calls in progress and throws it.
 */
export async function eachParallel<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const source = itemsOf(items);
  let failure: { readonly error: unknown } | undefined;
  async function run(): Promise<void> {
    try {
      while (failure === undefined) {
        const { done, value } = await source.next();
        if (done) return;
        await work(value);
      }
    } catch (error) {
      failure ??= { error };
    }
  }
  await Promise.all(Array.from({ length: limit }, run));
  await source.return(undefined);
  if (failure !== undefined) throw failure.error;
}

async function* itemsOf<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
): AsyncGenerator<Item, void> {
  yield* items;
}
