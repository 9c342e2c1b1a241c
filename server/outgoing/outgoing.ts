import { lookup } from "node:dns/promises";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { type AllowedTarget, mayReach } from "./allow-list.ts";
import { OutgoingFailure } from "./outgoing-failure.ts";

/*
 * Every request that the server sends to a URL that a user has given. Such a URL must not lead to what only the
 * server can reach: its own machine, the network around it, and the metadata service of its cloud. The name is
 * resolved once for each request, and the connection goes to an address that was checked, so that a resolver that
 * gives another answer later changes nothing. Proxies of the environment are not used: they would resolve the name
 * again.
 */

export interface Outgoing {
  /** Sends one request; a redirect is a response like any other. OutgoingFailure. */
  send(request: OutgoingRequest): Promise<OutgoingResponse>;
  /** GET, following at most `redirects` redirects, each of which is checked like the first URL. OutgoingFailure. */
  get(request: OutgoingGet): Promise<OutgoingResponse>;
  /** OutgoingFailure "refused": no request may be sent to this URL, whatever its name resolves to. */
  checkUrl(text: string): URL;
}

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the start to the end of the response's headers. */
  readonly headersMs: number;
  /** From the start to the end of the response. */
  readonly totalMs: number;
  /** Between two parts of the response's body. */
  readonly idleMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutgoingGet extends Omit<OutgoingRequest, "method" | "body"> {
  readonly redirects: number;
}

export interface OutgoingResponse {
  readonly status: number;
  header(name: string): string | undefined;
  /** As it was sent: nothing is decompressed. To be read once, or closed. OutgoingFailure. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection. */
  close(): void;
}

/** The addresses of a host. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface OutgoingDeps {
  readonly allowed: readonly AllowedTarget[];
  readonly userAgent: string;
  readonly resolve?: Resolve;
  /** Certificates to trust besides those of the system, in PEM. */
  readonly ca?: string | undefined;
}

const MAX_URL = 2048;
const MAX_HEADER_BYTES = 16 * 1024;
/** A host may have an address that is down. */
const MAX_ADDRESSES = 3;
const CONNECT_MS = 5000;

export function createOutgoing(deps: OutgoingDeps): Outgoing {
  const { allowed, resolve = resolveWithSystem } = deps;

  async function addressesOf(url: URL): Promise<string[]> {
    const host = hostOf(url);
    const found = isIP(host) > 0 ? [host] : await resolve(host).catch(() => []);
    if (found.length === 0) {
      throw new OutgoingFailure("unresolved", `The host ${host} could not be resolved.`);
    }
    const port = portOf(url);
    const reachable = found.filter((address) => mayReach({ host, address, port }, allowed));
    if (reachable.length === 0) throw refusedAddress(host);
    return reachable.slice(0, MAX_ADDRESSES);
  }

  async function send(request: OutgoingRequest): Promise<OutgoingResponse> {
    const url = checkUrl(request.url.href);
    const deadline = createDeadline(request);
    try {
      const addresses = await deadline.race(addressesOf(url));
      for (const [index, address] of addresses.entries()) {
        try {
          return await connect({ ...request, url }, { address, deadline, deps });
        } catch (cause) {
          // Once it is connected, the request may have been carried out.
          const isLast = index === addresses.length - 1;
          if (isLast || !(cause instanceof NotConnected) || deadline.isOver()) throw cause;
        }
      }
      throw refusedAddress(hostOf(url));
    } catch (cause) {
      deadline.end();
      throw toFailure(cause, deadline.isOver());
    }
  }

  return {
    checkUrl,
    send,
    async get({ redirects, ...request }) {
      let url = request.url;
      const end = performance.now() + request.totalMs;
      for (let hop = 0; ; hop += 1) {
        const totalMs = Math.max(1, end - performance.now());
        const response = await send({ ...request, url, method: "GET", totalMs });
        const location = response.header("location");
        if (!isRedirect(response.status) || location === undefined) return response;
        response.close();
        if (hop === redirects) {
          throw new OutgoingFailure("refused", `The URL redirects more than ${redirects} times.`);
        }
        url = nextUrl(url, location);
      }
    },
  };
}

/** The URL that a redirect leads to. From https, it never leads to http, where others can change what is sent. */
function nextUrl(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) {
    throw new OutgoingFailure("broken", "The URL redirects to something that is not a URL.");
  }
  const next = checkUrl(new URL(location, from).href);
  if (from.protocol === "https:" && next.protocol !== "https:") {
    throw new OutgoingFailure("refused", "The URL redirects from https to http.");
  }
  return next;
}

function checkUrl(text: string): URL {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new OutgoingFailure(
      "refused",
      `The URL must begin with http:// or https:// and have at most ${MAX_URL} characters.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutgoingFailure("refused", "The URL must not contain a user name or a password.");
  }
  url.hash = "";
  return url;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");
const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

const refusedAddress = (host: string): OutgoingFailure =>
  new OutgoingFailure(
    "refused",
    `The host ${host} has no public address. To reach it all the same, name it in OUTGOING_ALLOW.`,
  );

async function resolveWithSystem(host: string): Promise<string[]> {
  // As other programs do, so that names of the local network, such as those of containers, are found.
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

class NotConnected extends Error {}

interface Deadline {
  readonly signal: AbortSignal;
  isOver(): boolean;
  /** Nothing more is awaited for now. */
  pause(): void;
  /** The next part of the body is awaited. */
  awaitPart(): void;
  end(): void;
  race<T>(work: Promise<T>): Promise<T>;
}

function createDeadline({ headersMs, totalMs, idleMs, signal }: OutgoingRequest): Deadline {
  const ending = new AbortController();
  let isOver = false;
  const expire = (): void => {
    isOver = true;
    ending.abort();
  };
  const total = setTimeout(expire, totalMs);
  let phase = setTimeout(expire, headersMs);
  const stop = (): void => ending.abort();
  signal?.addEventListener("abort", stop);
  if (signal?.aborted === true) stop();
  return {
    signal: ending.signal,
    isOver: () => isOver,
    pause: () => clearTimeout(phase),
    awaitPart() {
      clearTimeout(phase);
      if (idleMs !== undefined) phase = setTimeout(expire, idleMs);
    },
    end() {
      clearTimeout(total);
      clearTimeout(phase);
      signal?.removeEventListener("abort", stop);
    },
    async race(work) {
      const aborted = Promise.withResolvers<never>();
      const onAbort = (): void => aborted.reject(new Error("aborted"));
      ending.signal.addEventListener("abort", onAbort);
      if (ending.signal.aborted) onAbort();
      try {
        return await Promise.race([work, aborted.promise]);
      } finally {
        ending.signal.removeEventListener("abort", onAbort);
      }
    },
  };
}

interface Connection {
  readonly address: string;
  readonly deadline: Deadline;
  readonly deps: OutgoingDeps;
}

async function connect(
  { url, method, headers, body }: OutgoingRequest,
  { address, deadline, deps }: Connection,
): Promise<OutgoingResponse> {
  const host = hostOf(url);
  const isTls = url.protocol === "https:";
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let isConnected = false;
  const request: ClientRequest = (isTls ? httpsRequest : httpRequest)(
    {
      // The address that was checked, so that nothing resolves the name again.
      host: address,
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      method,
      // A connection of its own, without proxies.
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: {
        host: url.host,
        "user-agent": deps.userAgent,
        "accept-encoding": "identity",
        connection: "close",
        ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
        ...headers,
      },
      ...(isTls && isIP(host) === 0 ? { servername: host } : {}),
      ...(isTls && deps.ca !== undefined ? { ca: deps.ca } : {}),
    },
    resolve,
  );
  request.on("error", (cause) => reject(isConnected ? cause : new NotConnected(cause.message)));
  // Nobody asked for another protocol, and no response follows.
  request.on("upgrade", (_response, socket) => {
    socket.destroy();
    reject(new Error("upgraded"));
  });
  const connecting = setTimeout(() => {
    if (!isConnected) request.destroy(new Error("connecting took too long"));
  }, CONNECT_MS);
  request.on("socket", (socket) => {
    socket.once(isTls ? "secureConnect" : "connect", () => {
      isConnected = true;
      clearTimeout(connecting);
    });
  });
  request.end(body);
  try {
    const response = await deadline.race(promise);
    deadline.pause();
    return toResponse(request, response, deadline);
  } catch (cause) {
    request.destroy();
    throw cause;
  } finally {
    clearTimeout(connecting);
  }
}

function toResponse(
  request: ClientRequest,
  response: IncomingMessage,
  deadline: Deadline,
): OutgoingResponse {
  const close = (): void => {
    deadline.end();
    deadline.signal.removeEventListener("abort", onAbort);
    response.on("error", () => {});
    request.destroy();
  };
  const onAbort = (): void => void response.destroy(new Error("aborted"));
  // Errors before the body is read are thrown when it is.
  response.on("error", () => {});
  deadline.signal.addEventListener("abort", onAbort);

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      deadline.awaitPart();
      for await (const part of response) {
        // The reader may take its time.
        deadline.pause();
        yield part;
        deadline.awaitPart();
      }
      if (!response.complete) throw new Error("aborted");
    } catch (cause) {
      throw toFailure(cause, deadline.isOver());
    } finally {
      close();
    }
  }

  return {
    status: response.statusCode ?? 0,
    header(name) {
      const value = response.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    body: { [Symbol.asyncIterator]: read },
    close,
  };
}

/** Messages of the system contain addresses, which tell about the network around the server. */
function toFailure(cause: unknown, isTooSlow: boolean): OutgoingFailure {
  if (cause instanceof OutgoingFailure) return cause;
  if (isTooSlow) return new OutgoingFailure("too slow", "The response took too long.");
  const text = cause instanceof Error ? cause.message : "";
  if (/certificate|altname|self.signed/i.test(text)) {
    return new OutgoingFailure("unreachable", "The certificate of the host is not valid.");
  }
  if (cause instanceof NotConnected) {
    return new OutgoingFailure("unreachable", "The connection failed.");
  }
  return new OutgoingFailure("broken", "The response ended early or is malformed.");
}
