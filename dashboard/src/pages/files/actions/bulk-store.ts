import { HoldallError } from "../../../../../sdk/src/holdall.ts";

/** The state of a running bulk operation. */
export interface Bulk {
  /** Title, such as "Moving" or "Deleting". */
  readonly doing: string;
  readonly done: number;
  readonly total: number;
  /** Why it is paused, for display; undefined while it is working. */
  readonly waiting: string | undefined;
  readonly stop: () => void;
}

let current: Bulk | undefined;
const listeners = new Set<() => void>();

function set(bulk: Bulk | undefined): void {
  current = bulk;
  for (const listener of listeners) listener();
}

export const currentBulk = (): Bulk | undefined => current;

export function onBulk(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export interface BulkResult {
  readonly done: number;
  /** The first failure. */
  readonly failure: Error | undefined;
  readonly failed: number;
}

/**
 * Runs the step for each item in order and continues after failures. Rate-limited steps are retried
 * after `Retry-After`; network failures are retried once another step has succeeded. So a step may
 * run twice and must be idempotent.
 */
export async function runBulk<Item>(
  doing: string,
  items: readonly Item[],
  step: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<BulkResult> {
  const { signal, abort } = createStop();
  let done = 0;
  let failed = 0;
  let failure: Error | undefined;
  const tell = (waiting?: string) =>
    set({ doing, done: done + failed, total: items.length, waiting, stop: abort });

  const persist = async (item: Item): Promise<void> => {
    for (;;) {
      try {
        return await step(item, signal);
      } catch (error) {
        const pause = signal.aborted ? undefined : pauseAfter(error, done > 0);
        if (pause === undefined) throw error;
        tell(pause.message);
        await wait(pause.ms, signal);
        tell();
      }
    }
  };

  tell();
  try {
    for (const item of items) {
      if (signal.aborted) break;
      try {
        await persist(item);
        done += 1;
      } catch (error) {
        if (signal.aborted) break;
        failed += 1;
        failure ??= error instanceof Error ? error : new Error(String(error));
      }
      tell();
    }
    return { done, failed, failure };
  } finally {
    set(undefined);
  }
}

function createStop() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

const LOST_MS = 3_000;
/** Used if a 429 has no `Retry-After`. */
const BUSY_SECONDS = 5;

interface Pause {
  readonly ms: number;
  readonly message: string;
}

/** The pause before a retry; undefined if the error is final. */
function pauseAfter(error: unknown, hasSucceeded: boolean): Pause | undefined {
  if (!(error instanceof HoldallError)) return undefined;
  if (error.status === 429) {
    const ms = (error.retryAfter ?? BUSY_SECONDS) * 1_000;
    return { ms, message: "Too many requests right now. Continuing automatically." };
  }
  if (error.status === 0 && hasSucceeded) {
    const message = "Can't reach the server. Continuing when it is back.";
    return { ms: LOST_MS, message };
  }
  return undefined;
}

/** Resolves after `ms`, or when the signal aborts. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
