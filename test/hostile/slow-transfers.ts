import { connect } from "node:net";
import { z } from "zod";
import { api } from "../client.ts";
import { expectData } from "../expectations.ts";
import type { S3TestServer } from "../s3-api/s3-server.fixture.ts";
import { signHeader } from "../s3-api/sign-request.ts";
import { createUpload } from "../upload-url.ts";

/** Sends a request piece by piece, a second each; resolves with the status, or 0 without a response. */
export function sendSlowly(
  port: number,
  { head, body }: SlowRequest,
  bytesPerSecond: number,
): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let received = "";
  let sent = 0;
  const lines = [...head, "Host: a", "Connection: close", `Content-Length: ${body.length}`];
  const socket = connect({ host: "127.0.0.1", port }, () =>
    socket.write(`${lines.join("\r\n")}\r\n\r\n`),
  );
  const timer = setInterval(() => {
    socket.write(body.subarray(sent, sent + bytesPerSecond));
    sent += bytesPerSecond;
    if (sent >= body.length) clearInterval(timer);
  }, 1000);
  socket.on("data", (chunk) => {
    received += String(chunk);
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    clearInterval(timer);
    resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0));
  });
  return promise;
}

export interface SlowRequest {
  /** The request line and headers, without Host and Content-Length. */
  readonly head: readonly string[];
  readonly body: Buffer;
}

/** A request of every kind whose body may be large, each with a file of `bytes` bytes. */
export async function slowRequests(
  server: S3TestServer,
  bytes: number,
): Promise<Readonly<Record<string, SlowRequest>>> {
  const key = `API-Key: ${server.apiKey}`;
  const content = Buffer.alloc(bytes, 120);
  const name = `slow-${bytes}`;
  const form = formWith(`${name}.form`, content);
  const a = api(server);
  const upload = await createUpload(server, { name: `${name}.tus`, size: bytes });
  const batch = expectData(await a.json("POST", "/api/batches", {}), z.object({ url: z.string() }));
  await a.json("POST", "/api/folders", { folder: "slow" });
  const signed = signHeader(
    {
      method: "PUT",
      path: `/slow/${name}.s3`,
      query: "",
      body: content,
      headers: { host: "a" },
    },
    server.credentials,
  );
  const { host, ...s3Headers } = signed.headers;
  return {
    form: { head: ["POST /api/files HTTP/1.1", key, FORM], body: form },
    batch: { head: [`POST /${batch.url}/files HTTP/1.1`, FORM], body: form },
    tus: {
      head: [
        `PATCH ${upload} HTTP/1.1`,
        ...["Tus-Resumable: 1.0.0", "Upload-Offset: 0"],
        "Content-Type: application/offset+octet-stream",
      ],
      body: content,
    },
    s3: {
      head: [
        `PUT ${signed.path} HTTP/1.1`,
        ...Object.entries(s3Headers).map((header) => header.join(": ")),
      ],
      body: content,
    },
  };
}

const FORM = "Content-Type: multipart/form-data; boundary=B";

const formWith = (name: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--B\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\n`),
    content,
    Buffer.from("\r\n--B--\r\n"),
  ]);

/**
 * Reads with curl at `bytesPerSecond`: sockets of the runtime take half a megabyte at once. Resolves with
 * whether the connection was open after `seconds`.
 */
export async function readsFor(
  seconds: number,
  url: string,
  bytesPerSecond: number,
): Promise<boolean> {
  const limits = ["--limit-rate", String(bytesPerSecond), "--max-time", String(seconds)];
  const curl = Bun.spawn(["curl", "--silent", "--output", "/dev/null", ...limits, url]);
  return (await curl.exited) === CURL_TIMED_OUT;
}

const CURL_TIMED_OUT = 28;

export interface StoppedReader {
  /** Reads what is left; resolves with all bytes of the answer when the connection ends. */
  finish(): Promise<number>;
  discard(): void;
}

/** Requests a path and reads nothing. */
export function readNothing(port: number, path: string): StoppedReader {
  const { promise, resolve } = Promise.withResolvers<number>();
  let received = 0;
  const socket = connect({ host: "127.0.0.1", port }, () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
  );
  socket.pause();
  socket.on("error", () => {});
  socket.on("close", () => resolve(received));
  socket.on("data", (chunk) => {
    received += chunk.length;
  });
  // A listener for data starts to read.
  socket.pause();
  return {
    finish() {
      socket.resume();
      return promise;
    },
    discard: () => void socket.destroy(),
  };
}
