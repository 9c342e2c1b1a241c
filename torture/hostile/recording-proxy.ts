import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy that records request heads and can cut responses. */
export interface RecordingProxy {
  /** Without a trailing slash. */
  readonly url: string;
  /** The heads of all requests so far, in order. */
  readonly heads: readonly string[];
  /** The number of response bytes forwarded. */
  passed(): number;
  close(): void;
}

export interface ResponseCuts {
  /** Byte counts after which responses are cut, one for each response. */
  readonly after: readonly number[];
  /** Called before a response is cut. */
  readonly meanwhile?: () => Promise<void>;
}

/** Starts a proxy before `target` on the same address and another port. */
export async function startRecordingProxy(
  target: string,
  { after, meanwhile }: ResponseCuts = { after: [] },
): Promise<RecordingProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const heads: string[] = [];
  const left = [...after];
  let passed = 0;

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
      if (isCut) await meanwhile?.();
      client.end();
    });
    let answered = 0;
    let isCut = false;
    client.on("data", (chunk: Buffer) => {
      // Clients that only read send each head in one chunk.
      heads.push(chunk.toString("latin1"));
      answered = 0;
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      answered += chunk.length;
      const cut = left[0];
      if (cut !== undefined && answered > cut) {
        left.shift();
        isCut = true;
        upstream.destroy();
        return;
      }
      passed += chunk.length;
      if (client.write(chunk)) return;
      upstream.pause();
      client.once("drain", () => upstream.resume());
    });
  });

  server.listen(0, hostname);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port to be had.");
  return {
    url: `http://${hostname}:${address.port}`,
    heads,
    passed: () => passed,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** The value of a header field in a request head; null without it. */
export function fieldOf(head: string, name: string): string | null {
  return new RegExp(`^${name}: *(.*?)\\r?$`, "im").exec(head)?.[1] ?? null;
}
