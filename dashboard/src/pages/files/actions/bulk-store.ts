import { HoldallError } from "../../../../../sdk/src/holdall.ts";

/** Something that is done to many things one after the other, while it runs. */
export interface Bulk {
  /** "Moving", "Deleting". */
  readonly doing: string;
  readonly done: number;
  readonly total: number;
  /** What it waits for, in words; undefined: it is at work. */
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
  /** Why the others were not, the first of them. */
  readonly failure: Error | undefined;
  readonly failed: number;
}

/**
 * Does one after the other and goes on after failures. What the server was too busy for is done
 * again when it says so, and so is what did not reach it once others had: a step must bear to be
 * done twice.
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
        tell(pause.told);
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
/** Where a refusal does not say when. */
const BUSY_SECONDS = 5;

interface Pause {
  readonly ms: number;
  readonly told: string;
}

/** How long to wait before the same again, and what is told meanwhile; undefined: it is final. */
function pauseAfter(error: unknown, hasBegun: boolean): Pause | undefined {
  if (!(error instanceof HoldallError)) return undefined;
  if (error.status === 429) {
    const ms = (error.retryAfter ?? BUSY_SECONDS) * 1_000;
    return { ms, told: "The server takes so many requests a minute. It goes on by itself." };
  }
  if (error.status === 0 && hasBegun) {
    const told = "The server cannot be reached. It goes on when it is back.";
    return { ms: LOST_MS, told };
  }
  return undefined;
}

/** Resolves after so long, or once it is stopped. */
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
