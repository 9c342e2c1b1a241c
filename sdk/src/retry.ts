import { HoldallError } from "./error.ts";

/** The longest `Retry-After` that is waited for: the server's own window. */
export const MOST_SECONDS = 60;

const FIRST_MS = 200;
const MOST_MS = 5_000;

/** Failures after which the very same request may do better. */
const PASSING = new Set([0, 502, 503, 504]);

export interface Attempt {
  readonly method: string;
  /** How many attempts were made before this one. */
  readonly earlier: number;
  readonly error: unknown;
}

/**
 * Milliseconds to wait before another attempt, or undefined when there should be none.
 * 429 comes before anything is done, so any request may follow it. After the other failures nobody
 * knows whether the request was carried out: only reading is tried again.
 */
export function delayBefore({ method, earlier, error }: Attempt): number | undefined {
  if (!(error instanceof HoldallError)) return undefined;
  const { status, retryAfter } = error;
  const reading = method === "GET" || method === "HEAD";
  if (status !== 429 && !(reading && PASSING.has(status))) return undefined;
  if (retryAfter !== undefined) return retryAfter > MOST_SECONDS ? undefined : retryAfter * 1_000;
  const most = Math.min(MOST_MS, FIRST_MS * 2 ** earlier);
  return most / 2 + (Math.random() * most) / 2;
}

/** Resolves after `ms`. Rejects with the signal's reason when it ends the wait. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
