/** `fetch`, or something that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HoldallOptions {
  /** The address of the server, such as `https://files.example.com`. */
  readonly url: string;
  /** Without one, a browser's session cookie is what opens the API. */
  readonly apiKey?: string | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /**
   * Milliseconds for each attempt, until the answer is there; of a download, until its bytes begin.
   * Uploads take the time they take. Default: 30,000. 0: no limit.
   */
  readonly timeout?: number | undefined;
  /**
   * How often a call is tried again after a passing failure: reading after a broken connection or
   * 502, 503 and 504, anything but an upload after 429. Default: 2.
   */
  readonly retries?: number | undefined;
}

export interface CallOptions {
  /** Ends the call; its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
