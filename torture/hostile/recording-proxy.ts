import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy that records requests and can close connections in the middle of responses. */
export interface RecordingProxy {
  /** Without a trailing slash. */
  readonly url: string;
  /** The request heads so far, in order. */
  readonly requestHeads: readonly string[];
  /** The number of response bytes sent to clients so far. */
  responseBytes(): number;
  close(): void;
}

export interface ResponseCuts {
  /** Each entry ends one response after this number of bytes, in order. */
  readonly after: readonly number[];
  /** Runs after a cut, before the client's connection is closed. */
  readonly beforeClose?: () => Promise<void>;
}

/** Listens on the host of `target`, on a free port, and forwards to `target`. */
export async function startRecordingProxy(
  target: string,
  { after, beforeClose }: ResponseCuts = { after: [] },
): Promise<RecordingProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const requestHeads: string[] = [];
  const pendingCuts = [...after];
  let responseBytes = 0;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => open.delete(socket));
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", async () => {
      if (isCut) await beforeClose?.();
      client.end();
    });
    let received = 0;
    let isCut = false;
    client.on("data", (chunk: Buffer) => {
      // Clients that send no body write each request head in one piece.
      requestHeads.push(chunk.toString("latin1"));
      received = 0;
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      received += chunk.length;
      const cut = pendingCuts[0];
      if (cut !== undefined && received > cut) {
        pendingCuts.shift();
        isCut = true;
        upstream.destroy();
        return;
      }
      responseBytes += chunk.length;
      if (client.write(chunk)) return;
      upstream.pause();
      client.once("drain", () => upstream.resume());
    });
  });

  server.listen(0, hostname);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    url: `http://${hostname}:${address.port}`,
    requestHeads,
    responseBytes: () => responseBytes,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** The value of a header field in a request head; null if it is absent. */
export function headerOf(requestHead: string, name: string): string | null {
  return new RegExp(`^${name}: *(.*?)\\r?$`, "im").exec(requestHead)?.[1] ?? null;
}
