import { api, type HeaderPairs, type Reachable, send, unique } from "./client.ts";
import { eventually } from "./expectations.ts";
import type { HttpResponse } from "./http-response.ts";
import { openRaw } from "./raw.ts";

/* Requests of resumable uploads. A path is that of an upload URL or a batch URL. */

export const TUS: HeaderPairs = { "Tus-Resumable": "1.0.0" };
export const BYTES: HeaderPairs = { ...TUS, "Content-Type": "application/offset+octet-stream" };

export const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString("base64");

/** `Upload-Metadata` with these pairs. */
export const metadataOf = (pairs: Readonly<Record<string, string>>): HeaderPairs => ({
  "Upload-Metadata": Object.entries(pairs)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(","),
});

/** Creates an upload with the server's key, and returns its path. */
export async function createUpload(server: Reachable, body: object = {}): Promise<string> {
  const answer = await api(server).json("POST", "/api/uploads", {
    folder: unique("uploads"),
    name: "file.bin",
    ...body,
  });
  return locationOf(answer);
}

/** The path in the response to a creation. */
export function locationOf(answer: HttpResponse): string {
  const path = answer.header("location");
  if (answer.status !== 201 || path === null) {
    throw new Error(`Not created: ${answer.status} ${answer.text}`);
  }
  return path;
}

/** Creates an upload as a client of tus does. */
export const createAsTus = (
  server: Reachable,
  headers: HeaderPairs,
  body?: string | Uint8Array,
): Promise<HttpResponse> =>
  send(server, "POST", "/api/uploads", { "API-Key": server.apiKey, ...TUS, ...headers }, body);

/** No request to an upload URL has an API key. */
export const append = (
  server: Reachable,
  path: string,
  offset: number,
  bytes: string | Uint8Array,
  headers: HeaderPairs = {},
): Promise<HttpResponse> =>
  send(server, "PATCH", path, { ...BYTES, "Upload-Offset": String(offset), ...headers }, bytes);

export const stateOf = (server: Reachable, path: string): Promise<HttpResponse> =>
  send(server, "HEAD", path, TUS);

/** The offset in the response of the server; throws if there is none. */
export async function offsetOf(server: Reachable, path: string): Promise<number> {
  const answer = await stateOf(server, path);
  const offset = answer.header("upload-offset");
  if (answer.status !== 200 || offset === null) throw new Error(`No offset: ${answer.status}`);
  return Number(offset);
}

/** Resolves when no request writes to an upload: until then, the next would get 423. */
export const untilFree = (server: Reachable, path: string): Promise<void> =>
  eventually("the upload has no writer", async () => {
    return (await append(server, path, await offsetOf(server, path), "")).status === 204;
  });

/** Sends a part of a longer body and leaves the request open. */
export async function beginAppend(
  server: { readonly port: number },
  path: string,
  input: { readonly offset: number; readonly length: number; readonly bytes: Uint8Array },
  more: HeaderPairs = {},
) {
  const connection = await openRaw(server.port);
  const headers = { ...BYTES, Host: "127.0.0.1", "Upload-Offset": String(input.offset), ...more };
  const lines = Object.entries({ ...headers, "Content-Length": String(input.length) });
  connection.send(
    `PATCH ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
  connection.send(input.bytes);
  return connection;
}

/** Bytes that differ at every place. */
export function noise(length: number, seed = 1): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = seed;
  for (let at = 0; at < words.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words[at] = state;
  }
  return new Uint8Array(words.buffer, 0, length);
}

export const sha256 = (bytes: string | Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
