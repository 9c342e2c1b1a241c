import { Fault } from "../domain/faults/fault.ts";

/** Runs a few jobs at a time. Jobs with the same key are one. */
export interface JobQueue<T> {
  /**
   * The result of the job with this key, which starts one unless it waits or runs. A job that still
   * waits is dropped when all signals of its callers have aborted. Fault "unavailable": too many jobs
   * wait, or the signal has aborted.
   */
  run(key: string, job: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export interface JobQueueLimits {
  readonly concurrency: number;
  readonly maxWaiting: number;
}

interface Entry<T> {
  readonly job: () => Promise<T>;
  readonly result: PromiseWithResolvers<T>;
  callers: number;
}

const RETRY_AFTER_SECONDS = 2;

const cancelled = (): Fault => new Fault("unavailable", "The request was cancelled.");

export function createJobQueue<T>({ concurrency, maxWaiting }: JobQueueLimits): JobQueue<T> {
  const entries = new Map<string, Entry<T>>();
  const waiting = new Map<string, Entry<T>>();
  let running = 0;

  function startNext(): void {
    while (running < concurrency) {
      const [next] = waiting;
      if (next === undefined) return;
      const [key, { job, result }] = next;
      waiting.delete(key);
      running += 1;
      // A caller that tries again after the result starts a new job.
      const finish = (): void => {
        running -= 1;
        entries.delete(key);
        startNext();
      };
      void job().finally(finish).then(result.resolve, result.reject);
    }
  }

  function add(key: string, job: () => Promise<T>): Entry<T> {
    if (waiting.size >= maxWaiting) {
      throw new Fault(
        "unavailable",
        "Too many images are waiting to be scaled. Try again shortly.",
        {
          retryAfter: RETRY_AFTER_SECONDS,
        },
      );
    }
    const entry = { job, result: Promise.withResolvers<T>(), callers: 0 };
    // Without callers, nothing else handles a rejection.
    entry.result.promise.catch(() => {});
    entries.set(key, entry);
    waiting.set(key, entry);
    startNext();
    return entry;
  }

  function leave(key: string, entry: Entry<T>): void {
    entry.callers -= 1;
    if (entry.callers > 0 || waiting.get(key) !== entry) return;
    waiting.delete(key);
    entries.delete(key);
  }

  return {
    async run(key, job, signal) {
      if (signal.aborted) throw cancelled();
      const entry = entries.get(key) ?? add(key, job);
      entry.callers += 1;
      const aborted = Promise.withResolvers<never>();
      const onAbort = (): void => {
        leave(key, entry);
        aborted.reject(cancelled());
      };
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        return await Promise.race([entry.result.promise, aborted.promise]);
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}
