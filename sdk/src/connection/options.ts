/** `fetch`, or something that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HoldallOptions {
  /** The URL of the server, such as `https://files.example.com`. */
  readonly url: string;
  /** Default: none, for browsers with a session cookie. */
  readonly apiKey?: string | undefined;
  /**
   * The id of the space in which a member of several spaces works, one of `account.whoAmI().spaces`.
   * A function is asked before each request.
   */
  readonly space?: string | (() => string | undefined) | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /**
   * Timeout of each attempt in milliseconds, until the response is complete; for downloads, until
   * the body starts. Uploads and copies have no timeout. Default: 30,000. 0: none.
   */
  readonly timeout?: number | undefined;
  /**
   * Number of retries after a transient failure: reads after a connection failure or 502, 503 and
   * 504; anything except uploads after 429. Default: 2.
   */
  readonly retries?: number | undefined;
}

export interface CallOptions {
  /** Aborts the call; its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
