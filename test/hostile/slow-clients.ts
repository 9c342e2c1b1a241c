import { connect, type Socket } from "node:net";

/** Slowloris clients: each sends a byte now and then, so that it is never idle. */
export interface SlowClients {
  /** The number of connections that the server closed before their headers were complete. */
  readonly droppedInHeaders: number;
  /** The number of connections that the server closed in the middle of their body. */
  readonly droppedInBody: number;
  discard(): void;
}

interface Target {
  readonly url: string;
  readonly apiKey: string;
}

const CONCURRENT_CONNECTS = 50;

/** A third of the clients are slow in their headers, a third in a JSON body, a third in an upload. */
export async function openSlowClients(
  target: Target,
  count: number,
  intervalMs: number,
): Promise<SlowClients> {
  const port = Number(new URL(target.url).port);
  const sockets: Socket[] = [];
  let [droppedInHeaders, droppedInBody] = [0, 0];
  for (let from = 0; from < count; from += CONCURRENT_CONNECTS) {
    const size = Math.min(CONCURRENT_CONNECTS, count - from);
    await Promise.all(
      Array.from({ length: size }, async (_, at) => {
        const socket = connect({ host: "127.0.0.1", port });
        sockets.push(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          if ((from + at) % 3 === 0) droppedInHeaders += 1;
          else droppedInBody += 1;
        });
        await new Promise<void>((resolve) => {
          socket.once("connect", () => resolve());
          socket.once("close", () => resolve());
        });
        socket.write(firstBytes(target, from + at));
      }),
    );
  }
  const timer = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write("a");
  }, intervalMs);
  return {
    get droppedInHeaders() {
      return droppedInHeaders;
    },
    get droppedInBody() {
      return droppedInBody;
    },
    discard() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Opens connections that stay open after one request each; returns what closes them all. Rejects, with
 * none open, if the server closes one without an answer.
 */
export async function openIdleClients(target: Target, count: number): Promise<() => void> {
  const port = Number(new URL(target.url).port);
  const sockets: Socket[] = [];
  const discard = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  try {
    for (let from = 0; from < count; from += CONCURRENT_CONNECTS) {
      const size = Math.min(CONCURRENT_CONNECTS, count - from);
      const opened = Array.from({ length: size }, () => connect({ host: "127.0.0.1", port }));
      sockets.push(...opened);
      await Promise.all(opened.map(requestOnce));
    }
  } catch (error) {
    discard();
    throw error;
  }
  return discard;
}

/** Resolves at the first bytes of the answer. */
function requestOnce(socket: Socket): Promise<void> {
  const answered = Promise.withResolvers<void>();
  socket.on("data", () => answered.resolve());
  socket.on("error", answered.reject);
  socket.on("close", () => answered.reject(new Error("The connection was closed unanswered.")));
  socket.write("GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n");
  return answered.promise;
}

function firstBytes({ apiKey }: Target, at: number): string {
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

/** The response times of `requests` health checks, in milliseconds, sorted. */
export async function healthTimes(
  target: Target,
  requests: number,
  pauseMs: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < requests; at += 1) {
    const start = performance.now();
    const response = await fetch(`${target.url}/api/health`);
    await response.text();
    if (response.status !== 200) throw new Error(`The health check returned ${response.status}.`);
    times.push(performance.now() - start);
    await Bun.sleep(pauseMs);
  }
  return times.sort((a, b) => a - b);
}

/** Uploads `bytes` bytes in pieces, ten a second; returns the status, or 0 without a response. */
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
  const deadline = performance.now() + 60_000;
  while (!closed && performance.now() < deadline) await Bun.sleep(20);
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0);
}
