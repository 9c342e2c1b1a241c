import { connect } from "node:net";

/** What came over one connection in answer to one request. */
export interface Received {
  /** 0: not even the headers came whole. */
  readonly status: number;
  /** In lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Whether as many bytes came as the headers had promised, and no more. */
  readonly isWhole: boolean;
}

export interface Reader {
  /** Takes so many bytes, then none for so many milliseconds. Absent: as fast as it can. */
  readonly pace?: { readonly bytes: number; readonly rest: number };
}

const MOST_MS = 60_000;

/** GETs over a connection of its own, reading at a pace. Throws when the server never ends it. */
export async function receive(
  url: string,
  headers: Readonly<Record<string, string>>,
  { pace }: Reader,
): Promise<Received> {
  const { hostname, port, host, pathname, search } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`${url} never came to an end.`)), MOST_MS);
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
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines}\r\n`);
  try {
    await closed;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
  return parse(Buffer.concat(chunks));
}

function parse(all: Buffer): Received {
  const end = all.indexOf("\r\n\r\n");
  const headers = new Map<string, string>();
  if (end < 0) return { status: 0, headers, body: all.subarray(all.length), isWhole: false };
  const [first = "", ...lines] = all.toString("latin1", 0, end).split("\r\n");
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const body = all.subarray(end + 4);
  const length = headers.get("content-length");
  return {
    status: Number(first.split(" ")[1]),
    headers,
    body,
    isWhole: length !== undefined && body.length === Number(length),
  };
}
