import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Socket } from "bun";
import { eventually } from "../../../test/expectations.ts";
import { removeFolder, temporaryFolder } from "../../../test/harness.ts";
import { isMissing } from "../../../test/reason-to-skip.fixture.ts";
import { type ReaderWatch, watchReaders } from "./watch-readers.ts";

const BYTES = 40_000_000;
const folder = temporaryFolder();
const path = join(folder, "large.bin");
await Bun.write(path, Buffer.alloc(BYTES, 120));

/** An endless body that is generated at the client's speed. */
const stream = (): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.alloc(65_536)),
  });

/** Buffered bytes are what the images, lists and pages are sent as. */
const bodies: Readonly<Record<string, () => BodyInit>> = {
  file: () => Bun.file(path),
  slice: () => Bun.file(path).slice(1, BYTES - 1),
  stream,
  bytes: () => Buffer.alloc(BYTES, 120),
};

/** The runtime's timer is up to four seconds late, and the timeout of a second that ends a reader too. */
const limits = {
  idleSeconds: 8,
  checkEveryMs: 500,
  silenceMs: 12_000,
  slowSilenceMs: 26_000,
  pauseMs: 2000,
};
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: limits.idleSeconds,
  routes: {
    "/:body": (request) => {
      readers.watch(request);
      return new Response(bodies[request.params.body]?.());
    },
  },
});
const readers: ReaderWatch = watchReaders(server, limits);
afterAll(async () => {
  readers.stop();
  await server.stop(true);
  removeFolder(folder);
});

/** Requests a body; returns the socket, which reads nothing unless it is resumed. */
async function open(body: string): Promise<{ socket: Socket; isClosed: () => boolean }> {
  let isClosed = false;
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: server.port ?? 0,
    socket: {
      open: (opened) => void opened.pause(),
      data: (reading) => void reading.pause(),
      close: () => {
        isClosed = true;
      },
    },
  });
  socket.write(`GET /${body} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return { socket, isClosed: () => isClosed };
}

test.skipIf(isMissing("Linux", process.platform === "linux"))(
  "slow readers of every kind of body are kept, and those that stop are not",
  async () => {
    const clients = await Promise.all(
      Object.keys(bodies).flatMap((body) => [open(body), open(body)]),
    );
    const slow = clients.filter((_, at) => at % 2 === 0);
    // Far less than what the kernel sends before it takes more from the runtime.
    const reading = setInterval(() => {
      for (const { socket } of slow) socket.resume();
    }, 3000);
    // The runtime by itself would end all of them after 8 to 12 seconds.
    await Bun.sleep(10_000);
    expect(server.pendingRequests).toBe(clients.length);
    // The timers of a busy machine end them up to some ten seconds apart.
    await eventually("the stopped readers are ended", () => server.pendingRequests <= slow.length);
    // A client that reads slowly would have been ended by now.
    await Bun.sleep(8000);
    expect(server.pendingRequests).toBe(slow.length);
    clearInterval(reading);
    // A pause that would end a client that was never slow.
    await Bun.sleep(18_000);
    expect(server.pendingRequests).toBe(slow.length);
    await eventually("the others too when they stop", () => server.pendingRequests === 0);
    for (const { socket } of clients) socket.terminate();
  },
);
