import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Passes connections on, hears what is asked, and hangs up in the middle of answers. */
export interface RecordingProxy {
  /** Without a slash at the end. */
  readonly url: string;
  /** The heads of the requests so far, in their order. */
  readonly heads: readonly string[];
  /** Bytes of answers that have been passed on. */
  passed(): number;
  close(): void;
}

export interface ResponseCuts {
  /** Each ends one answer after so many bytes, in turn. */
  readonly after: readonly number[];
  /** What happens before the client learns of it. */
  readonly meanwhile?: () => Promise<void>;
}

/** Stands before `target`, on the same address with a port of its own. */
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
      // Clients that only read send each head in one piece.
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

/** What a head asks for in this field; null: it is not there. */
export function fieldOf(head: string, name: string): string | null {
  return new RegExp(`^${name}: *(.*?)\\r?$`, "im").exec(head)?.[1] ?? null;
}
