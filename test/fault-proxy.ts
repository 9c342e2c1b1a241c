import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * Faults of a request: an error response, a reset connection, a hanging connection, each before the
 * server has received the request or after it has executed it; and a response that is cut, anywhere
 * or in its body.
 */
export const FAULTS = [
  "500 instead",
  "500 after",
  "reset before",
  "reset after",
  "silence before",
  "silence after",
  "cut answer",
  "cut body",
] as const;

/**
 * "cut request": the connection is reset within the body of the request. "503 instead": as a store that is
 * too busy. "404 instead": as a proxy that finds no store behind it.
 */
export type FaultName = (typeof FAULTS)[number] | "cut request" | "503 instead" | "404 instead";

export interface FaultProxy {
  readonly url: string;
  /** The number of requests, and of faults by kind. */
  readonly tally: { requests: number; faults: Partial<Record<FaultName, number>> };
  /** The number of open connections to the server. */
  connections(): number;
  close(): Promise<void>;
}

/** A proxy before an HTTP server. `choose` returns the fault of each request; undefined: none. */
export async function startFaultProxy(
  target: string,
  choose: (head: string) => FaultName | undefined,
): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const tally: FaultProxy["tally"] = { requests: 0, faults: {} };

  function chosen(head: string): FaultName | undefined {
    tally.requests += 1;
    const fault = choose(head);
    if (fault !== undefined) tally.faults[fault] = (tally.faults[fault] ?? 0) + 1;
    return fault;
  }

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => open.delete(socket));
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.end());
    let fault: FaultName | undefined;
    let passed = 0;
    let bodyLeft = Number.POSITIVE_INFINITY;
    const heads = createHeads((head) => {
      fault = chosen(head);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      bodyLeft =
        fault === "cut request" ? head.length + Math.floor(length / 2) : Number.POSITIVE_INFINITY;
      if (fault?.endsWith(" instead")) client.end(refusal(fault.slice(0, 3)));
      if (fault === "reset before") client.resetAndDestroy();
      passed = 0;
      return fault === undefined || fault.endsWith("after") || fault.startsWith("cut");
    });
    client.on("data", (chunk: Buffer) => {
      for (const piece of heads(chunk)) {
        bodyLeft -= piece.length;
        if (bodyLeft < 0) {
          client.resetAndDestroy();
          // The server gets the bytes before the cut.
          upstream.end(piece.subarray(0, piece.length + bodyLeft));
          return;
        }
        if (upstream.write(piece)) continue;
        client.pause();
        upstream.once("drain", () => client.resume());
      }
    });
    upstream.on("data", (chunk: Buffer) => {
      passed += chunk.length;
      if (
        fault === undefined ||
        fault === "cut request" ||
        (fault === "cut body" && passed < SURELY_BODY)
      ) {
        if (client.write(chunk)) return;
        upstream.pause();
        client.once("drain", () => upstream.resume());
      } else if (fault === "500 after") client.end(refusal("500"));
      else if (fault === "reset after") client.resetAndDestroy();
      else if (fault.startsWith("cut")) {
        client.end(chunk.subarray(0, Math.ceil(chunk.length / 2)));
        upstream.destroy();
      }
    });
  });

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port is available.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    tally,
    connections: () => open.size / 2,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** The head of a response ends before this offset. */
const SURELY_BODY = 100_000;

const refusal = (status: string): string =>
  `HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

/**
 * Parses the requests of one connection. `onHead` gets the head of each request and returns whether
 * to forward it; after the first that is not forwarded, nothing is.
 */
function createHeads(onHead: (head: string) => boolean) {
  let held = Buffer.alloc(0);
  let bodyLeft = 0;
  let isOver = false;

  return function* pass(chunk: Buffer): Generator<Buffer> {
    held = Buffer.concat([held, chunk]);
    while (!isOver && held.length > 0) {
      let length = Math.min(bodyLeft, held.length);
      if (bodyLeft === 0) {
        const end = held.indexOf("\r\n\r\n");
        if (end < 0) return;
        length = end + 4;
        const head = held.toString("latin1", 0, length);
        isOver = !onHead(head);
        if (isOver) return;
        bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      } else bodyLeft -= length;
      yield held.subarray(0, length);
      held = held.subarray(length);
    }
  };
}
