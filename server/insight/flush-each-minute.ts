import type { Millis } from "../domain/records.ts";

/** Writes counts from memory to the catalog. */
export interface MinuteFlush {
  /** Writes now. Flushes run one after another, so awaiting one also awaits those already running. */
  flush(): Promise<void>;
  /** Writes and stops the timer. */
  close(): Promise<void>;
}

const MINUTE = 60_000;

/** Writes at the end of each minute, so that counts never span two hours or days. `write` never rejects. */
export function flushEachMinute(write: () => Promise<void>, now: () => Millis): MinuteFlush {
  let timer: Timer | undefined;
  let lastFlush: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    lastFlush = lastFlush.then(write);
    return lastFlush;
  }

  function schedule(): void {
    timer = setTimeout(() => void flush().finally(schedule), MINUTE - (now() % MINUTE));
    timer.unref();
  }
  schedule();

  return {
    flush,
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}
