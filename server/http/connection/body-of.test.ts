import { afterAll, expect, test } from "bun:test";
import type { Socket } from "bun";
import { bodyOf } from "./body-of.ts";
import type { Gate } from "./gate.ts";
import { envelopes, guarded } from "./route.ts";

/** Shorter than a body takes here, so that the runtime's timer would end it. */
const RUNTIME_IDLE_SECONDS = 1;
const pace = { silenceMs: 2000, bytesPerSecond: 256, windowMs: 300_000 };

const gate: Pick<Gate, "admit" | "requestIdOf"> = {
  admit: () => undefined,
  requestIdOf: () => "id",
};
const basics = {
  gate: gate as Gate,
  meter: () => {},
  keyMeter: () => {},
  freshSettings: () => undefined,
  watchReader: () => {},
  onError: () => {},
};

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: RUNTIME_IDLE_SECONDS,
  routes: {
    "/": guarded(basics, {
      budget: "api",
      render: envelopes(undefined),
      async serve(request) {
        let length = 0;
        for await (const chunk of bodyOf(request, pace)) length += chunk.length;
        return new Response(`received ${length}`);
      },
    }),
  },
});
afterAll(() => server.stop(true));

/** Sends a request's head with what follows in `later`; resolves with the answer, or "" without one. */
function answerTo(head: string, later: (socket: Socket) => Promise<void>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = "";
  void Bun.connect({
    hostname: "127.0.0.1",
    port: server.port ?? 0,
    socket: {
      async open(socket) {
        socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n\r\n`);
        await later(socket);
      },
      data(_, bytes) {
        received += bytes.toString();
      },
      close: () => resolve(received),
    },
  });
  return promise;
}

const slowly = (piece: string, count: number) => async (socket: Socket) => {
  for (let sent = 0; sent < count; sent += 1) {
    // The pace of the client.
    await Bun.sleep(500);
    socket.write(piece);
  }
};
const silently = (piece: string) => async (socket: Socket) => void socket.write(piece);

/** The runtime closes idle connections some seconds late. */
const SENT_PIECES = 24;

test.concurrent("a small body may be slow, but not slower than the minimum", async () => {
  const answer = answerTo(`Content-Length: ${SENT_PIECES}`, slowly("x", SENT_PIECES));
  // As slow as this, it is silent for the minimum pace.
  expect(await answer).toContain("No byte of the body has arrived for 2 seconds.");
  const faster = slowly("x".repeat(128), 3);
  expect(await answerTo("Content-Length: 384", faster)).toContain("received 384");
});

test.concurrent("a large body may be slow, and pause", async () => {
  const length = 100_000;
  const answer = answerTo(`Content-Length: ${length}`, async (socket) => {
    await slowly("x", SENT_PIECES)(socket);
    socket.write("x".repeat(length - SENT_PIECES));
  });
  expect(await answer).toContain(`received ${length}`);
});

test.concurrent("a chunked body may be slow", async () => {
  const answer = answerTo("Transfer-Encoding: chunked", async (socket) => {
    await slowly("1\r\nx\r\n", SENT_PIECES)(socket);
    socket.write("0\r\n\r\n");
  });
  expect(await answer).toContain(`received ${SENT_PIECES}`);
});

test.concurrent("a body that is silent is ended, with an answer that says so", async () => {
  for (const head of [
    "Content-Length: 4",
    "Content-Length: 100000",
    "Transfer-Encoding: chunked",
  ]) {
    const answer = await answerTo(head, silently("2\r\n"));
    expect(answer).toContain("HTTP/1.1 408");
    expect(answer).toContain("No byte of the body has arrived for 2 seconds.");
  }
});
