import { connect } from "node:net";
import { field, filePart, multipart } from "../../test/multipart.ts";
import { bytesOf, type Content } from "../content.ts";
import type { Instance } from "./instance.ts";

const PIECES = 40;

/**
 * Sends one file within this many seconds. Resolves with the status; 0 if there was no response.
 */
export async function slowUpload(
  instance: Instance,
  path: string,
  content: Content,
  seconds: number,
): Promise<number> {
  const cut = path.lastIndexOf("/");
  const parts = [
    field("folder", path.slice(0, cut)),
    filePart(path.slice(cut + 1), bytesOf(content)),
  ];
  const { contentType, bytes } = multipart(parts);
  const { hostname, port } = new URL(instance.url);
  const socket = connect(Number(port), hostname);
  const { promise, resolve } = Promise.withResolvers<number>();
  let answer = "";
  socket.on("error", () => {});
  socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)));
  socket.on("data", (chunk: Buffer) => {
    answer += chunk.toString("latin1");
  });
  const head = {
    Host: "x",
    "API-Key": instance.apiKey,
    "Content-Type": contentType,
    "Content-Length": String(bytes.length),
    Connection: "close",
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/files HTTP/1.1\r\n${lines.join("")}\r\n`);
  const size = Math.ceil(bytes.length / PIECES);
  for (let at = 0; at < bytes.length && !socket.destroyed; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await Bun.sleep((seconds * 1000) / PIECES);
  }
  return promise;
}
