import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A delivery as it arrived. */
export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly type: string;
  /** The key of the file or folder, if any. */
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Answers from now on. Default: 204. */
  answer: (delivery: Received, response: ServerResponse) => void;
  keys(): string[];
  close(): void;
}

/** A receiver of webhooks on the loopback interface. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { type, data } = JSON.parse(body);
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
      const { "webhook-id": id = "" } = headers;
      const delivery = { id, headers, body, type, key: String(data.key ?? ""), data };
      received.push(delivery);
      receiver.answer(delivery, response);
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (_delivery, response) => void response.writeHead(204).end(),
    keys: () => received.map(({ key }) => key),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** Each id once, where it arrived first. */
export const firstArrivals = (all: readonly Received[]): string[] => [
  ...new Map(all.map(({ id, key }) => [id, key])).values(),
];
