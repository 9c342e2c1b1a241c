import { HoldallError } from "./error.ts";

/** Fails at once on a longer `Retry-After`. The same as the server's rate limit window. */
export const MAX_RETRY_AFTER_SECONDS = 60;

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 5_000;

/** Statuses after which a retry may succeed. */
const TRANSIENT = [0, 502, 503, 504];

export interface FailedAttempt {
  readonly method: string;
  /** 0 for the first attempt. */
  readonly retry: number;
  readonly error: unknown;
}

/**
 * Milliseconds to wait before a retry; undefined: do not retry. The server responds 429 before it
 * does anything, so any request can be retried after 429. After other failures the request may have
 * been carried out, so only reads are retried.
 */
export function retryDelay({ method, retry, error }: FailedAttempt): number | undefined {
  if (!(error instanceof HoldallError)) return undefined;
  const { status, retryAfter } = error;
  const isRead = method === "GET" || method === "HEAD";
  if (status !== 429 && !(isRead && TRANSIENT.includes(status))) return undefined;
  if (retryAfter !== undefined) {
    return retryAfter > MAX_RETRY_AFTER_SECONDS ? undefined : retryAfter * 1_000;
  }
  return backoff(retry, FIRST_DELAY_MS, MAX_DELAY_MS);
}

/** Milliseconds that double with each failure, with a random part, so that clients do not return together. */
export function backoff(failures: number, first: number, max: number): number {
  const delay = Math.min(max, first * 2 ** failures);
  return delay / 2 + (Math.random() * delay) / 2;
}

/** Resolves after `ms`. Rejects with the signal's reason when it aborts. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
