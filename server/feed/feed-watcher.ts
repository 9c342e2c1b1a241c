import type { ChangeFeed } from "../catalog/port/feed.ts";

/** Waits for changes by any process. One query per interval serves all waiting readers. */
export interface FeedWatcher {
  /** Resolves when the feed has an entry after this number, after `timeoutMs`, or at the signal. */
  wait(seq: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

interface Waiting {
  readonly seq: number;
  readonly wake: () => void;
}

const INTERVAL_MS = 250;

export function createFeedWatcher(
  catalog: Pick<ChangeFeed, "feedEnd">,
  onError: (message: string, cause: unknown) => void,
): FeedWatcher {
  const waiting = new Set<Waiting>();
  let timer: Timer | undefined;
  let isFailing = false;

  async function look(): Promise<void> {
    timer = undefined;
    try {
      const { seq } = await catalog.feedEnd();
      isFailing = false;
      for (const each of [...waiting]) if (each.seq < seq) each.wake();
    } catch (cause) {
      // Readers go on waiting: the catalog may be back soon. Without readers it may be closed.
      if (!isFailing && waiting.size > 0) onError("The change feed could not be read", cause);
      isFailing = true;
    }
    lookLater();
  }

  function lookLater(): void {
    if (waiting.size === 0) return;
    timer ??= setTimeout(() => void look(), INTERVAL_MS);
    timer.unref();
  }

  return {
    async wait(seq, timeoutMs, signal) {
      if (signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry: Waiting = { seq, wake: () => resolve() };
      const timeout = setTimeout(entry.wake, timeoutMs);
      waiting.add(entry);
      signal.addEventListener("abort", entry.wake);
      lookLater();
      await promise;
      waiting.delete(entry);
      if (waiting.size === 0) {
        clearTimeout(timer);
        timer = undefined;
      }
      clearTimeout(timeout);
      signal.removeEventListener("abort", entry.wake);
    },
  };
}
