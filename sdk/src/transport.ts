import { readAnswer, refuse } from "./answer.ts";
import { HoldallError } from "./error.ts";
import type { CallOptions, Fetch, HoldallOptions } from "./options.ts";
import { delayBefore, wait } from "./retry.ts";

export interface Call extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** From the slash after the base address on. */
  readonly path: string;
  readonly query?: object;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the client's own number of further attempts. */
  readonly retries?: number;
}

export interface RequestWith extends RequestInit {
  readonly headers?: Record<string, string>;
}

/** How the groups of methods reach the server. */
export interface Transport {
  /** The envelope's `data`. */
  json<Data>(call: Call): Promise<Data>;
  /** The answer, once its headers are there, when its status is 2xx. Redirects are followed. */
  open(call: Call): Promise<Response>;
  /** One attempt without a time limit, whatever the answer's status. */
  once(path: string, init: RequestWith): Promise<Response>;
  /** The absolute address of a path or a relative `url` of the API. */
  address(path: string): string;
  readonly credentials: Readonly<Record<string, string>>;
  /** The caller brought a `fetch`: everything goes through it. */
  readonly ownFetch: boolean;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 2;

export function createTransport(options: HoldallOptions): Transport {
  const { apiKey, timeout = TIMEOUT_MS, retries = RETRIES } = options;
  const base = baseAddress(options.url);
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const credentials: Record<string, string> = apiKey === undefined ? {} : { "API-Key": apiKey };
  const address = (path: string): string =>
    /^https?:/.test(path) ? path : `${base}/${path.replace(/^\//, "")}`;

  async function once(path: string, init: RequestWith): Promise<Response> {
    try {
      return await send(address(path), {
        credentials: "same-origin",
        redirect: "manual",
        ...init,
        headers: { ...credentials, ...init.headers },
      });
    } catch (cause) {
      if (init.signal?.aborted) throw init.signal.reason;
      throw new HoldallError(0, `The server at ${base} could not be reached.`, { cause });
    }
  }

  /** One attempt, `timeout` included; what `read` makes of the response is still part of it. */
  async function attempt<Result>(
    { method, path, query, body, headers, signal }: Call,
    redirect: RequestRedirect,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const clock = new AbortController();
    const late = new HoldallError(0, `The server did not answer within ${timeout / 1_000} s.`);
    const timer = timeout > 0 ? setTimeout(() => clock.abort(late), timeout) : undefined;
    const either = signal ? AbortSignal.any([signal, clock.signal]) : clock.signal;
    try {
      const response = await once(path + queryOf(query), {
        method,
        redirect,
        signal: either,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) await refuse(response);
      return await read(response);
    } catch (error) {
      throw either.aborted ? either.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function persist<Result>(call: Call, run: () => Promise<Result>): Promise<Result> {
    for (let earlier = 0; ; earlier += 1) {
      try {
        return await run();
      } catch (error) {
        const further = earlier < (call.retries ?? retries);
        const delay = further ? delayBefore({ method: call.method, earlier, error }) : undefined;
        if (delay === undefined) throw error;
        await wait(delay, call.signal);
      }
    }
  }

  return {
    credentials,
    ownFetch: options.fetch !== undefined,
    address,
    once,
    json: <Data>(call: Call) =>
      persist(call, () =>
        attempt(call, "manual", async (response) =>
          readAnswer<Data>({
            status: response.status,
            text: await textOf(response),
            retryAfter: null,
          }),
        ),
      ),
    open: (call) => persist(call, () => attempt(call, "follow", async (response) => response)),
  };
}

/** A connection that breaks in the middle of an answer counts as no answer. */
async function textOf(response: Response): Promise<string> {
  return response.text().catch((cause: unknown) => {
    throw new HoldallError(0, "The connection broke before the answer was complete.", { cause });
  });
}

function baseAddress(url: string): string {
  const parsed = parseAddress(url);
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(
      `\`url\` must be the server's address, such as "https://files.example.com", and not "${url}".`,
    );
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`;
}

function parseAddress(url: string): URL | undefined {
  try {
    // In a browser, "/" is the page's own site.
    return new URL(url, globalThis.location?.href);
  } catch {
    return undefined;
  }
}

function queryOf(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}
