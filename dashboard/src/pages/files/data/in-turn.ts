const AT_ONCE = 2;
const MOST = 100;
const WINDOW_MS = 60_000;

/**
 * Does the work when it is its turn: never much at once, nor within a minute. Rejects with the
 * signal's reason when that ends before.
 */
export type InTurn = <Result>(work: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

export interface InTurnLimits {
  readonly atOnce: number;
  /** Most beginnings within the window. */
  readonly most: number;
  readonly windowMs: number;
}

export function createInTurn(limits: Partial<InTurnLimits> = {}): InTurn {
  const { atOnce = AT_ONCE, most = MOST, windowMs = WINDOW_MS } = limits;
  const waiting = new Set<() => void>();
  let begun: number[] = [];
  let running = 0;
  let isTimed = false;

  const next = () => {
    const now = performance.now();
    begun = begun.filter((at) => at > now - windowMs);
    const [oldest = now] = begun;
    while (running < atOnce && begun.length < most) {
      const [start] = waiting;
      if (start === undefined) return;
      waiting.delete(start);
      begun.push(now);
      running += 1;
      start();
    }
    if (waiting.size === 0 || running >= atOnce || isTimed) return;
    isTimed = true;
    const again = () => {
      isTimed = false;
      next();
    };
    setTimeout(again, oldest + windowMs - now + 1);
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
