import { eitherSignal } from "../connection/either-signal.ts";
import { isStatus } from "../connection/error.ts";
import { backoff, MAX_RETRY_AFTER_SECONDS, wait } from "../connection/retry.ts";

export interface AttemptOptions {
  /**
   * Attempts without any progress before it fails, with growing pauses between them. Default: 10, which
   * take about a minute.
   */
  readonly attempts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Counts attempts of something that continues where it was interrupted. */
export interface Attempts {
  /** Resolves when the next attempt may begin. Throws `error` if another attempt is of no use. */
  waitAfter(error: unknown): Promise<void>;
  /** Something was achieved: starts counting again. */
  reset(): void;
}

const DEFAULT_ATTEMPTS = 10;
const FIRST_DELAY_MS = 300;
const MAX_DELAY_MS = 15_000;

/**
 * No response; a slow body (408), another writer (423), too many requests (429), a damaged chunk (460),
 * or a server or a proxy that cannot respond now.
 */
const TRANSIENT: readonly number[] = [0, 408, 423, 425, 429, 460, 500, 502, 503, 504];

/** `also`: further statuses after which another attempt may succeed. */
export function createAttempts(
  { attempts = DEFAULT_ATTEMPTS, signal }: AttemptOptions,
  also: readonly number[] = [],
): Attempts {
  const transient = [...TRANSIENT, ...also];
  let failures = 0;
  return {
    reset() {
      failures = 0;
    },
    async waitAfter(error) {
      signal?.throwIfAborted();
      failures += 1;
      if (!isStatus(error, ...transient)) throw error;
      const { retryAfter = 0 } = error;
      if (failures >= attempts || retryAfter > MAX_RETRY_AFTER_SECONDS) throw error;
      const delay = backoff(failures - 1, FIRST_DELAY_MS, MAX_DELAY_MS);
      const pause = Math.max(retryAfter * 1_000, delay);
      await (retryAfter > 0 ? wait(pause, signal) : waitUntilOnline(pause, signal));
    },
  };
}

/** Repeats `work` after transient failures. Only for what may be done twice. */
export async function withAttempts<T>(options: AttemptOptions, work: () => Promise<T>): Promise<T> {
  const attempts = createAttempts(options);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      await attempts.waitAfter(error);
    }
  }
}

/** Waits, in browsers at most until the network is back. */
async function waitUntilOnline(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (typeof globalThis.addEventListener !== "function") return wait(ms, signal);
  const online = new AbortController();
  const onOnline = (): void => online.abort();
  globalThis.addEventListener("online", onOnline);
  try {
    await wait(ms, eitherSignal(signal, online));
  } catch {
    signal?.throwIfAborted();
  } finally {
    globalThis.removeEventListener("online", onOnline);
  }
}
