import { afterAll, expect, test } from "bun:test";
import { unique } from "../client.ts";
import { rawRequest } from "../raw.ts";
import { startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, signHeader } from "./sign-request.ts";

const server = await startS3Server();
afterAll(() => server.discard());

async function send(method: string, path: string, body = Buffer.alloc(0), headers = {}) {
  const host = `127.0.0.1:${server.port}`;
  const draft = { method, path, query: "", body, headers: { host, ...headers } };
  return rawRequest(server.port, bytesOf(signHeader(draft, server.credentials)));
}

/** Small contents are sent from memory, large ones by the system from their file. */
test.each([1, 5_000_000])(
  "an object of %d bytes has only the disposition that it was stored with",
  async (size) => {
    const bucket = unique("/bucket");
    await send("PUT", bucket);
    const type = { "content-type": "application/zip" };
    await send("PUT", `${bucket}/plain`, Buffer.alloc(size), type);
    const disposition = 'attachment; filename="a.zip"';
    await send("PUT", `${bucket}/named`, Buffer.alloc(size), {
      ...type,
      "content-disposition": disposition,
    });
    for (const headers of [{}, { range: "bytes=0-0" }]) {
      const plain = await send("GET", `${bucket}/plain`, undefined, headers);
      expect(plain.header("content-disposition") ?? "").toBe("");
      const named = await send("GET", `${bucket}/named`, undefined, headers);
      expect(named.header("content-disposition")).toBe(disposition);
    }
  },
);
