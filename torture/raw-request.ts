import { connect } from "node:net";

/** Everything received on one connection in response to one request. */
export interface RawResponse {
  /** 0: the headers are incomplete; `body` has what was received. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Whether the body has exactly the length that the headers announce. */
  readonly isComplete: boolean;
}

export interface RawRequest {
  readonly method?: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Pauses for `rest` milliseconds after every `bytes` bytes. Default: no pauses. */
  readonly pace?: { readonly bytes: number; readonly rest: number } | undefined;
}

const TIMEOUT_MS = 60_000;

/**
 * Sends a request on a new connection and reads the response at the given pace. A refused or closed
 * connection is a result, not an error. Throws if the server does not end the response in time.
 */
export async function sendRawRequest(
  url: string,
  { method = "GET", headers, body = new Uint8Array(), pace }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port, host, pathname, search } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`${url} never ended.`)), TIMEOUT_MS);
  let unrested = 0;
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    unrested += chunk.length;
    if (pace === undefined || unrested < pace.bytes) return;
    unrested = 0;
    socket.pause();
    setTimeout(() => socket.resume(), pace.rest);
  });
  socket.on("error", () => {});
  socket.on("close", () => resolve());
  const fields = Object.entries({ Host: host, Connection: "close", ...headers });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${lines}\r\n`);
  socket.write(body);
  try {
    await closed;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
  return parse(Buffer.concat(chunks));
}

function parse(all: Buffer): RawResponse {
  const end = all.indexOf("\r\n\r\n");
  const headers = new Map<string, string>();
  if (end < 0) return { status: 0, headers, body: all, isComplete: false };
  const [first = "", ...lines] = all.toString("latin1", 0, end).split("\r\n");
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const status = Number(first.split(" ")[1]);
  const rest = all.subarray(end + 4);
  if (headers.get("transfer-encoding") === "chunked")
    return { status, headers, ...unchunked(rest) };
  const length = headers.get("content-length");
  const isComplete = length !== undefined && rest.length === Number(length);
  return { status, headers, body: rest, isComplete };
}

function unchunked(rest: Buffer): { body: Buffer; isComplete: boolean } {
  const chunks: Buffer[] = [];
  let at = 0;
  let isComplete = false;
  while (!isComplete) {
    const line = rest.indexOf("\r\n", at);
    if (line < 0) break;
    const size = Number.parseInt(rest.toString("latin1", at, line), 16);
    const chunk = rest.subarray(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
    if (at > rest.length) break;
    chunks.push(chunk);
    isComplete = size === 0 && at === rest.length;
    if (size === 0) break;
  }
  return { body: Buffer.concat(chunks), isComplete };
}
