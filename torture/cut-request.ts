import { connect, type Socket } from "node:net";
import type { Reachable } from "../test/client.ts";
import { chance, randomInt } from "./random.ts";

export interface CutRequest {
  /** The request line and the headers. */
  readonly start: string;
  readonly body: Uint8Array;
  readonly chunked: boolean;
  /** The bytes of the body to send; negative: the number of bytes of the headers that are missing. */
  readonly end: number;
}

/** Sends a request up to some byte and disconnects with FIN or RST, without reading the response. */
export async function sendCutRequest(
  { url }: Pick<Reachable, "url">,
  { start, body, chunked, end }: CutRequest,
): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port), noDelay: true });
  socket.on("error", () => {});
  socket.resume();
  await new Promise((resolve) => {
    socket.once("connect", resolve);
    socket.once("close", resolve);
  });
  await write(socket, start.slice(0, end < 0 ? end : undefined));
  if (end >= 0)
    await (chunked ? sendChunked(socket, body, end) : write(socket, body.subarray(0, end)));
  if (chance(0.7)) await Bun.sleep(randomInt(0, 20));
  await leave(socket);
}

/**
 * Sends the body's first `end` bytes in chunks. The last chunk announces more bytes than it has.
 */
async function sendChunked(socket: Socket, body: Uint8Array, end: number): Promise<void> {
  for (let at = 0; at < end; ) {
    const size = Math.min(randomInt(1, 60_000), body.length - at);
    await write(socket, `${size.toString(16)}\r\n`);
    await write(socket, body.subarray(at, Math.min(at + size, end)));
    if (at + size <= end) await write(socket, "\r\n");
    at += size;
  }
  if (end === body.length) await write(socket, "0\r\n\r\n");
}

/** Resolves when the kernel has accepted the bytes or the connection is closed. */
function write(socket: Socket, bytes: string | Uint8Array): Promise<void> {
  if (socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    socket.once("close", resolve);
    socket.write(bytes, () => {
      socket.off("close", resolve);
      resolve();
    });
  });
}

async function leave(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const closed = new Promise((resolve) => socket.once("close", resolve));
  if (chance(0.5)) {
    socket.resetAndDestroy();
  } else {
    socket.end();
    await Promise.race([closed, Bun.sleep(2_000)]);
    socket.destroy();
  }
  await closed;
}
