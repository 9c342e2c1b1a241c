import { HoldallError } from "./error.ts";
import type { CallOptions, Fetch, HoldallOptions } from "./options.ts";
import { readEnvelope, throwFailure } from "./read-envelope.ts";
import { retryDelay, wait } from "./retry.ts";

export interface Call extends CallOptions {
  readonly method: string;
  /** Relative to the base URL, with a leading slash. */
  readonly path: string;
  readonly query?: object;
  readonly body?: object | undefined;
  /** Bytes, in place of `body`. `headers` has their type. */
  readonly content?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the client's number of retries. */
  readonly retries?: number | undefined;
  /** The server may take any time to respond. */
  readonly isLong?: boolean;
}

export interface RequestWith extends RequestInit {
  readonly headers?: Record<string, string>;
}

/** Sends requests. `call` knows their methods, paths and types. */
export interface Transport {
  /** Returns the envelope's `data`. */
  json<Data>(call: Call): Promise<Data>;
  /** Returns a 2xx response as soon as its headers have arrived. Follows redirects. */
  open(call: Call): Promise<Response>;
  /** One attempt without a timeout. Returns a response of any status. */
  once(path: string, init: RequestWith): Promise<Response>;
  /** The absolute URL of a path or of a relative `url` in an API object. */
  absoluteUrl(path: string): string;
  readonly credentials: Readonly<Record<string, string>>;
  /** Sends to the same server, but without the API key and cookies: for URLs that contain a secret. */
  anonymous(): Transport;
  /** The application supplies `fetch`, so every request must use it. */
  readonly hasCustomFetch: boolean;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 2;

export function createTransport(
  options: HoldallOptions,
  cookies: RequestCredentials = "same-origin",
): Transport {
  const { apiKey, space, timeout = TIMEOUT_MS, retries = RETRIES } = options;
  const base = baseUrl(options.url);
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const credentials = (): Record<string, string> => {
    const named = typeof space === "function" ? space() : space;
    return {
      ...(apiKey === undefined ? {} : { "API-Key": apiKey }),
      ...(named === undefined ? {} : { "Holdall-Space": named }),
    };
  };
  const absoluteUrl = (path: string): string =>
    /^https?:/.test(path) ? path : `${base}/${path.replace(/^\//, "")}`;

  async function once(path: string, init: RequestWith): Promise<Response> {
    try {
      return await send(absoluteUrl(path), {
        credentials: cookies,
        redirect: "manual",
        ...init,
        headers: { ...credentials(), ...init.headers },
      });
    } catch (cause) {
      if (init.signal?.aborted) throw init.signal.reason;
      throw new HoldallError(0, `Cannot connect to the server at ${base}.`, { cause });
    }
  }

  /** One attempt with the timeout, which also covers `read`. */
  async function attempt<Result>(
    { method, path, query, body, content, headers, signal, isLong = false }: Call,
    redirect: RequestRedirect,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const deadline = new AbortController();
    const late = new HoldallError(0, `The server did not respond within ${timeout / 1_000} s.`);
    const timer =
      timeout > 0 && !isLong ? setTimeout(() => deadline.abort(late), timeout) : undefined;
    const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
    try {
      const response = await once(path + queryOf(query), {
        method,
        redirect,
        signal: either,
        headers: { ...(body && { "Content-Type": "application/json" }), ...headers },
        ...((body ?? content) && { body: body ? JSON.stringify(body) : content }),
      });
      if (!response.ok) await throwFailure(response);
      return await read(response);
    } catch (error) {
      throw either.aborted ? either.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function withRetries<Result>(call: Call, run: () => Promise<Result>): Promise<Result> {
    for (let retry = 0; ; retry += 1) {
      try {
        return await run();
      } catch (error) {
        const mayRetry = retry < (call.retries ?? retries);
        const delay = mayRetry ? retryDelay({ method: call.method, retry, error }) : undefined;
        if (delay === undefined) throw error;
        await wait(delay, call.signal);
      }
    }
  }

  return {
    get credentials() {
      return credentials();
    },
    anonymous: () => createTransport({ ...options, apiKey: undefined, space: undefined }, "omit"),
    hasCustomFetch: options.fetch !== undefined,
    absoluteUrl,
    once,
    json: <Data>(call: Call) =>
      withRetries(call, () =>
        attempt(call, "manual", async (response) =>
          readEnvelope<Data>({
            status: response.status,
            text: await textOf(response),
            headers: response.headers,
          }),
        ),
      ),
    open: (call) => withRetries(call, () => attempt(call, "follow", async (response) => response)),
  };
}

/** A connection that closes within a response counts as no response. */
async function textOf(response: Response): Promise<string> {
  return response.text().catch((cause: unknown) => {
    throw new HoldallError(0, "The connection closed before the response was complete.", { cause });
  });
}

function baseUrl(url: string): string {
  const parsed = parseUrl(url);
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(
      `\`url\` must be the URL of the server, such as "https://files.example.com", but is "${url}".`,
    );
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`;
}

function parseUrl(url: string): URL | undefined {
  try {
    // In a browser, URLs such as "/" are relative to the page.
    return new URL(url, globalThis.location?.href);
  } catch {
    return undefined;
  }
}

function queryOf(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // A list is a parameter that is repeated.
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) parameters.append(name, String(each));
    }
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}
