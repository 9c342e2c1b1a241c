import { connect, type Socket } from "node:net";

/** Clients that send a byte now and then, so that they are never idle (slowloris). */
export interface SlowClients {
  /** Connections that the server closed before the end of the headers. */
  readonly droppedBefore: number;
  /** Connections that the server closed during the body. */
  readonly dropped: number;
  discard(): void;
}

interface Target {
  readonly url: string;
  readonly apiKey: string;
}

const CONNECTING_AT_ONCE = 50;

/** A third of them are slow with their headers, a third with a JSON body, a third with an upload. */
export async function openSlowClients(
  target: Target,
  count: number,
  everyMs: number,
): Promise<SlowClients> {
  const port = Number(new URL(target.url).port);
  const sockets: Socket[] = [];
  let [droppedBefore, dropped] = [0, 0];
  for (let from = 0; from < count; from += CONNECTING_AT_ONCE) {
    const size = Math.min(CONNECTING_AT_ONCE, count - from);
    await Promise.all(
      Array.from({ length: size }, async (_, at) => {
        const socket = connect({ host: "127.0.0.1", port });
        sockets.push(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          if ((from + at) % 3 === 0) droppedBefore += 1;
          else dropped += 1;
        });
        await new Promise<void>((resolve) => {
          socket.once("connect", () => resolve());
          socket.once("close", () => resolve());
        });
        socket.write(beginningOf(target, from + at));
      }),
    );
  }
  const timer = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write("a");
  }, everyMs);
  return {
    get droppedBefore() {
      return droppedBefore;
    },
    get dropped() {
      return dropped;
    },
    discard() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function beginningOf({ apiKey }: Target, at: number): string {
  const lines = (...all: string[]): string => all.join("\r\n");
  const key = `API-Key: ${apiKey}`;
  if (at % 3 === 0) return lines("GET /api/health HTTP/1.1", "Host: a", "X: ");
  if (at % 3 === 1) {
    return lines(
      "POST /api/folders HTTP/1.1",
      "Host: a",
      key,
      "Content-Length: 10000",
      "",
      '{"a":"',
    );
  }
  const disposition = `Content-Disposition: form-data; name="files"; filename="slow-${at}"`;
  const type = "Content-Type: multipart/form-data; boundary=B";
  return lines(
    "POST /api/files HTTP/1.1",
    "Host: a",
    key,
    type,
    "Content-Length: 1000000",
    "",
    "--B",
    disposition,
    "",
    "",
  );
}

/** The durations of this many health requests in milliseconds, sorted. */
export async function healthTimes(
  target: Target,
  requests: number,
  pauseMs: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < requests; at += 1) {
    const from = performance.now();
    const answer = await fetch(`${target.url}/api/health`);
    await answer.text();
    if (answer.status !== 200) throw new Error(`The health check answers ${answer.status}.`);
    times.push(performance.now() - from);
    await Bun.sleep(pauseMs);
  }
  return times.sort((a, b) => a - b);
}

/** Uploads this many bytes, some every 100 ms; returns the status. */
export async function uploadSlowly(
  target: Target,
  bytes: number,
  bytesPerSecond: number,
): Promise<number> {
  const head = Buffer.from(
    '--B\r\nContent-Disposition: form-data; name="files"; filename="steady.bin"\r\n\r\n',
  );
  const end = Buffer.from("\r\n--B--\r\n");
  const piece = Buffer.alloc(Math.ceil(bytesPerSecond / 10), 120);
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(target.url).port) });
  let received = "";
  let closed = false;
  socket.on("data", (chunk) => {
    received += String(chunk);
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    closed = true;
  });
  const length = head.length + bytes + end.length;
  socket.write(
    `POST /api/files HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAPI-Key: ${target.apiKey}\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: ${length}\r\n\r\n`,
  );
  socket.write(head);
  for (let sent = 0; sent < bytes && !closed; sent += piece.length) {
    socket.write(piece.subarray(0, bytes - sent));
    await Bun.sleep(100);
  }
  socket.write(end);
  const until = performance.now() + 60_000;
  while (!closed && performance.now() < until) await Bun.sleep(20);
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0);
}
