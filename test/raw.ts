import { connect, type Socket } from "node:net";
import { createHttpResponse, type HttpResponse } from "./http-response.ts";

export interface RawHttpResponse extends HttpResponse {
  readonly statusLine: string;
  /** Bytes after the end of the response; there should be none. */
  readonly excess: Uint8Array;
  /** All bytes as received. */
  readonly received: Buffer;
}

export interface RawConnection {
  send(bytes: string | Uint8Array): void;
  /** The next response. Waits for the close of the connection, or a moment, for excess bytes. */
  answer(limit?: number): Promise<RawHttpResponse>;
  readonly socket: Socket;
  destroy(): void;
}

interface Framed {
  readonly body: Buffer;
  readonly rest: Buffer;
}

function chunked(data: Buffer): Framed | null {
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = data.indexOf("\r\n", at);
    if (line < 0) return null;
    const size = Number.parseInt(data.toString("latin1", at, line), 16);
    const start = line + 2;
    if (data.length < start + size + 2) return null;
    if (size === 0) return { body: Buffer.concat(pieces), rest: data.subarray(start + 2) };
    pieces.push(data.subarray(start, start + size));
    at = start + size + 2;
  }
}

/** The first final response in these bytes; null while it is incomplete. */
export function parseAnswer(
  received: Buffer,
  method: string,
  closed: boolean,
): RawHttpResponse | null {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [statusLine = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  if (status >= 100 && status < 200) return parseAnswer(received.subarray(end + 4), method, closed);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const plain = createHttpResponse(status, headers, new Uint8Array());
  const data = received.subarray(end + 4);
  const framed = frame(plain, data, method, closed);
  if (framed === null) return null;
  const whole = createHttpResponse(status, headers, new Uint8Array(framed.body));
  return {
    status: whole.status,
    headers: whole.headers,
    header: whole.header,
    all: whole.all,
    bytes: whole.bytes,
    get text() {
      return whole.text;
    },
    statusLine,
    excess: framed.rest,
    received,
  };
}

function frame(answer: HttpResponse, data: Buffer, method: string, closed: boolean): Framed | null {
  if (method === "HEAD" || answer.status === 204 || answer.status === 304) {
    return { body: Buffer.alloc(0), rest: data };
  }
  if (answer.header("transfer-encoding")?.toLowerCase() === "chunked") return chunked(data);
  const length = answer.header("content-length");
  if (length === null) return closed ? { body: data, rest: Buffer.alloc(0) } : null;
  const size = Number(length);
  return data.length < size ? null : { body: data.subarray(0, size), rest: data.subarray(size) };
}

export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let sent = "";
  let closed = false;
  let wake = () => {};
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve());
    socket.once("error", reject);
  });

  const news = (limit: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limit);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function answer(limit = 120_000): Promise<RawHttpResponse> {
    const method = sent.split(" ")[0] ?? "";
    const until = performance.now() + limit;
    while (parseAnswer(received, method, closed) === null) {
      if (closed || performance.now() > until) {
        throw new Error(
          `${closed ? "Connection closed" : "No whole answer in time"} after: ${received.toString("latin1").slice(0, 2_000)}`,
        );
      }
      await news(until - performance.now());
    }
    if (!closed) await news(60);
    const whole = parseAnswer(received, method, closed);
    if (whole === null) throw new Error("The answer came apart");
    return whole;
  }

  return {
    send(bytes) {
      if (sent.length < 16)
        sent +=
          typeof bytes === "string" ? bytes.slice(0, 16) : String(Buffer.from(bytes.slice(0, 16)));
      socket.write(bytes);
    },
    answer,
    socket,
    destroy: () => {
      socket.destroy();
    },
  };
}

/** A request head with `Connection: close`, its target and headers unchanged. */
export function head(
  method: string,
  target: string,
  headers: readonly (readonly [string, string])[] = [],
): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${lines}\r\n`;
}

/** Sends these bytes over a new connection and returns the response. */
export async function rawRequest(
  port: number,
  bytes: string | Uint8Array,
): Promise<RawHttpResponse> {
  const connection = await openRaw(port);
  try {
    connection.send(bytes);
    return await connection.answer();
  } finally {
    connection.destroy();
  }
}

/** Sends one request with the target exactly as given. */
export function raw(
  port: number,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawHttpResponse> {
  return rawRequest(port, head(method, target, Object.entries(headers)));
}
