/** Counts requests per client in a window that starts with the client's first request. */
export interface RateLimit {
  take(client: string): Verdict | Promise<Verdict>;
}

export type Verdict =
  | { readonly allowed: true }
  /** Whole seconds until the window ends, at least 1. */
  | { readonly allowed: false; readonly retryAfter: number };
