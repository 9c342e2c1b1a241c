import { HoldallError } from "../../../sdk/src/connection/error.ts";
import { sleep } from "../app/sleep.ts";

/** Counts of items. */
export interface BulkResult {
  readonly done: number;
  /** The first failure. */
  readonly failure: Error | undefined;
  readonly failed: number;
}

export interface StepsProgress {
  /** Items that are done or have failed. */
  readonly done: number;
  readonly total: number;
  /** Why it is paused, for display; undefined while it is working. */
  readonly waitingMessage: string | undefined;
  /** When it continues, in milliseconds since 1970; undefined: unknown, or it is not paused. */
  readonly continuesAt: number | undefined;
}

export interface StepsOptions<Item> {
  /** How much an item counts. */
  readonly sizeOf: (item: Item) => number;
  /** How many steps run at once. Default: one. */
  readonly atOnce?: number | undefined;
  /**
   * Ends the run after the steps that are running. Only a step that the server undoes when its request is
   * aborted may pass the signal on; the result of any other would be lost.
   */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: StepsProgress) => void;
}

/**
 * Runs the step for each item in order and continues after failures. Rate-limited steps are retried
 * after `Retry-After`; network failures are retried once another step has succeeded. So a step may
 * run twice and must be idempotent.
 */
export async function runSteps<Item>(
  items: readonly Item[],
  step: (item: Item, signal: AbortSignal) => Promise<void>,
  { sizeOf, atOnce = 1, signal, onProgress }: StepsOptions<Item>,
): Promise<BulkResult> {
  const total = items.reduce((sum, item) => sum + sizeOf(item), 0);
  let done = 0;
  let failed = 0;
  let failure: Error | undefined;
  const publish = (waitingMessage?: string, continuesAt?: number) =>
    onProgress({ done: done + failed, total, waitingMessage, continuesAt });

  const runWithRetries = async (item: Item): Promise<void> => {
    for (;;) {
      try {
        return await step(item, signal);
      } catch (error) {
        const pause = retryPause(error, done > 0);
        if (pause === undefined) throw error;
        if (!signal.aborted) {
          publish(pause.message, pause.continuesAt);
          await sleep(pause.ms, signal);
        }
        signal.throwIfAborted();
        publish();
      }
    }
  };

  const waiting = items.values();
  const runWaiting = async (): Promise<void> => {
    for (const item of waiting) {
      if (signal.aborted) break;
      try {
        await runWithRetries(item);
        done += sizeOf(item);
      } catch (error) {
        // A step that was aborted, or not repeated.
        if (signal.aborted && error === signal.reason) break;
        failed += sizeOf(item);
        failure ??= error instanceof Error ? error : new Error(String(error));
      }
      publish();
    }
  };

  publish();
  await Promise.all(Array.from({ length: atOnce }, runWaiting));
  return { done, failed, failure };
}

const UNREACHABLE_MS = 3_000;
/** Used if a 429 has no `Retry-After`. */
const DEFAULT_RETRY_SECONDS = 5;

interface RetryPause {
  readonly ms: number;
  readonly message: string;
  readonly continuesAt?: number;
}

/** The pause before a retry; undefined if the error is final. */
function retryPause(error: unknown, hasSucceeded: boolean): RetryPause | undefined {
  if (!(error instanceof HoldallError)) return undefined;
  if (error.status === 429) {
    const ms = (error.retryAfter ?? DEFAULT_RETRY_SECONDS) * 1_000;
    return { ms, message: "Too many requests right now.", continuesAt: Date.now() + ms };
  }
  if (error.status === 0 && hasSucceeded) {
    const message = "Can't reach the server. Continuing when it is back.";
    return { ms: UNREACHABLE_MS, message };
  }
  return undefined;
}
