import { afterAll, describe, expect, test } from "bun:test";
import { api, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart, multipart, multipartType } from "./multipart.ts";
import { openRaw, rawRequest } from "./raw.ts";
import { filesData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const limit = 200_000;
const server = await startServer({ MAX_UPLOAD_SIZE: String(limit) });
afterAll(() => server.discard());

const lines = (method: string, path: string, ...more: string[]) =>
  [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", ...more, "", ""].join("\r\n");

const inner = lines("DELETE", "/api/smuggled", `API-Key: ${server.apiKey}`, "Content-Length: 0");

/** Everything received within a moment of sending this on a persistent connection. */
async function everything(...pieces: (string | Uint8Array)[]): Promise<string> {
  const connection = await openRaw(server.port);
  let received = "";
  connection.socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });
  for (const piece of pieces) connection.send(piece);
  await connection.answer();
  // Time for a second response.
  await Bun.sleep(200);
  connection.destroy();
  return received;
}

describe("bytes after an early response are never read as a request", () => {
  const padding = inner.repeat(2_000);
  const length = `Content-Length: ${padding.length}`;

  test.each([
    [401, "without a key", lines("POST", "/api/files", length, `Content-Type: ${multipartType}`)],
    [401, "to JSON", lines("PUT", "/api/files", length)],
    [404, "unknown path", lines("POST", "/api/unknown", length, `API-Key: ${server.apiKey}`)],
    [405, "method", lines("PATCH", "/api/files", length, `API-Key: ${server.apiKey}`)],
    [400, "no form", lines("POST", "/api/files", length, `API-Key: ${server.apiKey}`)],
    [200, "unexpected body", lines("GET", "/api/health", length)],
  ])("%i: %s", async (status, _what, request) => {
    const received = await everything(request, padding);
    expect(received).toStartWith(`HTTP/1.1 ${status} `);
    expect(received.match(/HTTP\/1\.1 \d/g)?.length).toBe(1);
  });

  test("409", async () => {
    const file = await api(server).put(`${unique("early")}/taken`);
    const { bytes } = multipart([
      field("folder", file.key.split("/")[0] ?? ""),
      filePart("taken", padding.slice(0, 100_000)),
    ]);
    const request = lines(
      "POST",
      "/api/files",
      `Content-Length: ${bytes.length}`,
      `Content-Type: ${multipartType}`,
      `API-Key: ${server.apiKey}`,
    );
    const received = await everything(request, bytes);
    expect(received).toMatch(/^HTTP\/1\.1 409/);
    expect(received.match(/HTTP\/1\.1 \d/g)?.length).toBe(1);
  });
});

describe("a chunked upload", () => {
  const chunks = (bytes: Buffer, size: number) => {
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
    }
    return Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
  };
  const upload = (parts: Parameters<typeof multipart>[0], size: number) =>
    rawRequest(
      server.port,
      Buffer.concat([
        Buffer.from(
          lines(
            "POST",
            "/api/files",
            "Connection: close",
            "Transfer-Encoding: chunked",
            `Content-Type: ${multipartType}`,
            `API-Key: ${server.apiKey}`,
          ),
        ),
        chunks(multipart(parts).bytes, size),
      ]),
    );

  test("is accepted in chunks of any size", async () => {
    for (const size of [1, 7, 1_000, 100_000]) {
      const content = "0123456789\r\n--".repeat(size === 1 ? 20 : 5_000);
      const answer = await upload([filePart(unique("chunked"), content)], size);
      const [file] = expectData(answer, filesData).files;
      expect((await api(server).get(`/${file?.url}`)).text).toBe(content);
    }
  });

  test("is limited while it arrives", async () => {
    const exact = await upload([filePart(unique("exact"), "x".repeat(limit))], 10_000);
    expectData(exact, filesData);
    const answer = await expectUnchanged(server, () =>
      upload([filePart(unique("over"), "x".repeat(limit + 1))], 10_000),
    );
    expectFault(answer, 413);
  });
});
