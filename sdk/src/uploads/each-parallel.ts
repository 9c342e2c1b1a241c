import { eitherSignal } from "../connection/either-signal.ts";

/**
 * Calls `work` for each item, for at most `limit` at once. After the first error begins no more, aborts
 * the signal of the calls in progress, waits for them and throws the error.
 */
export async function eachParallel<Item>(
  items: Iterable<Item>,
  limit: number,
  signal: AbortSignal | undefined,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const source = items[Symbol.iterator]();
  const stop = new AbortController();
  const either = eitherSignal(signal, stop);
  let failure: { readonly error: unknown } | undefined;
  async function run(): Promise<void> {
    try {
      for (let next = source.next(); !next.done; next = source.next()) {
        either.throwIfAborted();
        await work(next.value, either);
      }
    } catch (error) {
      failure ??= { error };
      stop.abort(error);
    }
  }
  await Promise.all(Array.from({ length: limit }, run));
  if (failure) throw failure.error;
}
