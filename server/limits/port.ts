import type { MaybePromise } from "../rules/maybe-promise.ts";

/** Counts requests per client in a window that starts with the client's first request. */
export interface RateLimit {
  take(client: string): MaybePromise<Verdict>;
}

/** Lets everybody in. Whoever has it need not find out who asks. */
export const unlimited: RateLimit = { take: () => ({ allowed: true }) };

/**
 * How it stands with a place where several servers count together. absent: it has not been reached
 * since the start. lost: it was there before.
 */
export type LimitStoreState = "present" | "absent" | "lost";

export type Verdict =
  | { readonly allowed: true }
  /** Whole seconds until the window ends, at least 1. */
  | { readonly allowed: false; readonly retryAfter: number };
