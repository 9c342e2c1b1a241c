/** A result is reused for this many times as long as it took: a moment for few rows, a minute for millions. */
const CACHE_FACTOR = 50;

/** Returns a recent result of `count` from the cache; concurrent callers share one count. */
export function cacheCount<T>(
  count: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let cached: { readonly result: T; readonly expiresAt: number } | undefined;
  let counting: Promise<T> | undefined;

  async function countNow(): Promise<T> {
    const startedAt = now();
    const result = await count();
    const endedAt = now();
    cached = { result, expiresAt: endedAt + CACHE_FACTOR * (endedAt - startedAt) };
    return result;
  }

  return async () => {
    if (cached !== undefined && now() < cached.expiresAt) return cached.result;
    counting ??= countNow().finally(() => {
      counting = undefined;
    });
    return counting;
  };
}
