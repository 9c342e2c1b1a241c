import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * What can befall a request on its way: an error instead of an answer, a connection that is reset,
 * one that falls silent, each before the store has heard of the request or after it has carried it
 * out; and an answer that is cut off, anywhere or in its body.
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

export type FaultName = (typeof FAULTS)[number];

export interface FaultProxy {
  readonly url: string;
  /** How many requests have passed, and how often each fault has befallen one. */
  readonly tally: { requests: number; faults: Partial<Record<FaultName, number>> };
  /** How many connections to the store are open. */
  connections(): number;
  close(): Promise<void>;
}

/** Stands before an HTTP server. `choose` tells what is to befall each request; undefined: nothing. */
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
    const heads = createHeads((head) => {
      fault = chosen(head);
      if (fault === "500 instead") client.end(refusal);
      if (fault === "reset before") client.resetAndDestroy();
      passed = 0;
      return fault === undefined || fault.endsWith("after") || fault.startsWith("cut");
    });
    client.on("data", (chunk: Buffer) => {
      for (const piece of heads(chunk)) {
        if (upstream.write(piece)) continue;
        client.pause();
        upstream.once("drain", () => client.resume());
      }
    });
    upstream.on("data", (chunk: Buffer) => {
      passed += chunk.length;
      if (fault === undefined || (fault === "cut body" && passed < SURELY_BODY)) {
        if (client.write(chunk)) return;
        upstream.pause();
        client.once("drain", () => upstream.resume());
      } else if (fault === "500 after") client.end(refusal);
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
  if (address === null || typeof address === "string") throw new Error("No port to be had.");
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

/** By then the head of an answer is over. */
const SURELY_BODY = 100_000;

const refusal =
  "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/**
 * Follows the requests of one connection. `onHead` hears each request's head before anything of it
 * is passed on, and tells whether it is to be; once it is not, nothing is any more.
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
