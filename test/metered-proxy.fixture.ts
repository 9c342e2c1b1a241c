import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy that lets a number of bytes of responses pass. */
export interface MeteredProxy {
  readonly url: string;
  /** The bytes of all responses so far. */
  passed(): number;
  /** Lets so many bytes pass from now on, and calls `end` then: "die" resets all connections, also new ones. */
  allow(bytes: number, end: "die" | (() => void)): void;
  close(): void;
}

export async function startMeteredProxy(target: string): Promise<MeteredProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let passed = 0;
  let left = Number.POSITIVE_INFINITY;
  let onEnd: "die" | (() => void) = "die";
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((client) => {
    if (left <= 0 && onEnd === "die") {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on("data", (chunk: Buffer) => {
      passed += chunk.length;
      left -= chunk.length;
      if (left <= 0) {
        left = onEnd === "die" ? 0 : Number.POSITIVE_INFINITY;
        if (onEnd === "die") return cut();
        onEnd();
      }
      // At the speed of the reader, so that bytes that pass are bytes that arrive.
      if (!client.write(chunk)) {
        upstream.pause();
        client.once("drain", () => upstream.resume());
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    passed: () => passed,
    allow(bytes, end) {
      left = bytes;
      onEnd = end;
    },
    close() {
      server.close();
      cut();
    },
  };
}
