import type { Socket } from "bun";
import { API_KEY } from "../server-process.ts";

/** Clients that have sent a request and read nothing of the response. */
export interface IdleClients {
  /** Reads the first line of each response; the status codes, in no particular order. */
  statuses(): Promise<number[]>;
  close(): void;
}

export async function connectIdleClients(
  url: string,
  path: string,
  count: number,
): Promise<IdleClients> {
  const { hostname, port, host } = new URL(url);
  const clients = await Promise.all(
    Array.from({ length: count }, () => connectIdle(hostname, Number(port))),
  );
  for (const { socket } of clients) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAPI-Key: ${API_KEY}\r\n\r\n`);
  }
  return {
    async statuses() {
      for (const { socket } of clients) socket.resume();
      const heads = await Promise.all(clients.map(({ head }) => head));
      return heads.map((head) => Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]));
    },
    close() {
      for (const { socket } of clients) socket.terminate();
    },
  };
}

async function connectIdle(
  hostname: string,
  port: number,
): Promise<{ socket: Socket; head: Promise<string> }> {
  const head = Promise.withResolvers<string>();
  const socket = await Bun.connect({
    hostname,
    port,
    socket: {
      open: (opened) => opened.pause(),
      data(opened, chunk) {
        opened.pause();
        head.resolve(chunk.toString("latin1"));
      },
      close: () => head.resolve(""),
    },
  });
  return { socket, head: head.promise };
}
