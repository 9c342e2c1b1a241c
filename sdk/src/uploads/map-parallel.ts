import { eachParallel } from "./each-parallel.ts";

const PARALLEL = 4;

/** The results of `work` in the order of the items, for four at once. */
export async function mapParallel<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal | undefined,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  await eachParallel(items.entries(), PARALLEL, signal, async ([at, item], abort) => {
    results[at] = await work(item, abort);
  });
  return results;
}
