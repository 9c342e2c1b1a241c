import { definedEntries, type SomeValues } from "./defined-entries.ts";
import { eitherSignal } from "./either-signal.ts";
import { HoldallError } from "./error.ts";
import type { CallOptions, Fetch, HoldallOptions } from "./options.ts";
import { parseUrl } from "./parse-url.ts";
import { envelopeOf, throwFailure } from "./read-envelope.ts";
import { retryDelay, wait } from "./retry.ts";

export interface Call extends CallOptions {
  readonly method: string;
  /** Relative to the base URL, with a leading slash. */
  readonly path: string;
  readonly query?: object;
  readonly body?: object | undefined;
  /** Bytes, in place of `body`. `headers` has their type. */
  readonly content?: Blob;
  readonly headers?: SomeValues;
  /** Overrides the client's number of retries. */
  readonly retries?: number | undefined;
  /** The server may take any time to respond. */
  readonly isLong?: boolean;
}

export interface RequestWith extends Omit<RequestInit, "headers"> {
  readonly headers?: SomeValues;
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
  /** The object with an absolute `url`. */
  withAbsoluteUrl<T extends { readonly url: string }>(object: T): T;
  credentials(): SomeValues;
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
  const fetchWith: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const credentials = (): SomeValues => ({
    "API-Key": apiKey,
    "Holdall-Space": typeof space === "function" ? space() : space,
  });
  const absoluteUrl = (path: string): string =>
    /^https?:/.test(path) ? path : `${base}/${path.replace(/^\//, "")}`;

  async function once(path: string, init: RequestWith): Promise<Response> {
    try {
      return await fetchWith(absoluteUrl(path), {
        credentials: cookies,
        redirect: "manual",
        ...init,
        // An object, which a `fetch` of the application can spread.
        headers: Object.fromEntries(definedEntries({ ...credentials(), ...init.headers })),
      });
    } catch (cause) {
      init.signal?.throwIfAborted();
      throw new HoldallError(0, `Cannot connect to the server at ${base}.`, { cause });
    }
  }

  /** One attempt with the timeout, which also covers `read`. */
  async function attempt<Result>(
    { method, path, query, body, content, headers, signal, isLong }: Call,
    redirect: RequestRedirect,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const deadline = new AbortController();
    const late = new HoldallError(0, `The server did not respond within ${timeout / 1_000} s.`);
    const timer = timeout > 0 && !isLong && setTimeout(() => deadline.abort(late), timeout);
    const either = eitherSignal(signal, deadline);
    try {
      const response = await once(path + queryOf(query), {
        method,
        redirect,
        signal: either,
        headers: { "Content-Type": body && "application/json", ...headers },
        body: body ? JSON.stringify(body) : (content ?? null),
      });
      if (!response.ok) await throwFailure(response);
      return await read(response);
    } catch (error) {
      throw either.aborted ? either.reason : error;
    } finally {
      if (timer) clearTimeout(timer);
    }
  }

  /** Repeats it after transient failures. */
  async function send<Result>(
    ...[call, ...how]: Parameters<typeof attempt<Result>>
  ): Promise<Result> {
    for (let retry = 0; ; retry += 1) {
      try {
        return await attempt(call, ...how);
      } catch (error) {
        const mayRetry = retry < (call.retries ?? retries);
        const delay = mayRetry ? retryDelay({ method: call.method, retry, error }) : undefined;
        if (delay === undefined) throw error;
        await wait(delay, call.signal);
      }
    }
  }

  return {
    credentials,
    anonymous: () => createTransport({ ...options, apiKey: undefined, space: undefined }, "omit"),
    hasCustomFetch: !!options.fetch,
    absoluteUrl,
    withAbsoluteUrl: (object) => ({ ...object, url: absoluteUrl(object.url) }),
    once,
    json: <Data>(call: Call) => send(call, "manual", envelopeOf<Data>),
    open: (call) => send(call, "follow", async (response) => response),
  };
}

function baseUrl(url: string): string {
  const parsed = parseUrl(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(
      `\`url\` must be the URL of the server, such as "https://files.example.com", but is "${url}".`,
    );
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`;
}

/** The query of a URL, with its question mark, if there is anything in it. */
export function queryOf(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // A list is a parameter that is repeated.
    for (const each of [value].flat()) {
      if (each !== undefined) parameters.append(name, String(each));
    }
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}
