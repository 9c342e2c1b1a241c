import type { MaybePromise } from "../lib/maybe-promise.ts";

/** The rate limits of a server. "sessions" counts per session, the others per client. */
export type LimitName = "api" | "hosting" | "links" | "s3" | "sessions";

/** Counts requests per client in a window that starts with the client's first request. */
export interface RateLimit {
  take(client: string): MaybePromise<Verdict>;
}

/** Allows everything. Callers that see this object can skip finding the client's address. */
export const unlimited: RateLimit = { take: () => ({ allowed: true }) };

/**
 * The state of the store in which several servers count together, such as Redis. "connected" also
 * where no such store is configured.
 */
export type LimitStoreState = "connected" | "lost";

export type Verdict =
  | { readonly allowed: true }
  /** `retryAfter`: whole seconds until the window ends, at least 1. */
  | { readonly allowed: false; readonly retryAfter: number };
