/**
 * Runs work as soon as the limits allow it. Rejects with the signal's reason if that aborts first;
 * aborted work is never started.
 */
export type RequestLimiter = <Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result>;

export interface RequestLimits {
  readonly concurrency: number;
  /** Maximum starts within the window. */
  readonly maxStarts?: number;
  readonly windowMs?: number;
}

export function createRequestLimiter({
  concurrency,
  maxStarts = Number.POSITIVE_INFINITY,
  windowMs = 60_000,
}: RequestLimits): RequestLimiter {
  const waiting = new Set<() => void>();
  let starts: number[] = [];
  let running = 0;
  let isTimed = false;

  const next = () => {
    const now = performance.now();
    starts = starts.filter((at) => at > now - windowMs);
    const [oldest = now] = starts;
    while (running < concurrency && starts.length < maxStarts) {
      const [start] = waiting;
      if (start === undefined) return;
      waiting.delete(start);
      starts.push(now);
      running += 1;
      start();
    }
    if (waiting.size === 0 || running >= concurrency || isTimed) return;
    isTimed = true;
    const retry = () => {
      isTimed = false;
      next();
    };
    setTimeout(retry, oldest + windowMs - now + 1);
  };

  return async (work, signal) => {
    signal.throwIfAborted();
    const turn = Promise.withResolvers<void>();
    const start = () => turn.resolve();
    const leave = () => {
      if (waiting.delete(start)) turn.reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    waiting.add(start);
    next();
    await turn.promise;
    try {
      return await work();
    } finally {
      signal.removeEventListener("abort", leave);
      running -= 1;
      next();
    }
  };
}
