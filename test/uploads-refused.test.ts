import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { send, unique } from "./client.ts";
import { expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { head, openRaw } from "./raw.ts";
import {
  append,
  createAsTus,
  createUpload,
  locationOf,
  metadataOf,
  offsetOf,
  sha256,
  stateOf,
} from "./upload-url.ts";

const server = await startServer({ MAX_UPLOAD_SIZE: "50mb" });
afterAll(() => server.discard());

describe("refuses", () => {
  test("another version of tus with 412, and says which it speaks", async () => {
    const path = await createUpload(server);
    const answer = await send(server, "HEAD", path, { "Tus-Resumable": "0.2.2" });
    expect([answer.status, answer.header("tus-version")]).toEqual([412, "1.0.0"]);
    const created = await createAsTus(server, { "Tus-Resumable": "2.0.0", "Upload-Length": "1" });
    expectFault(created, 412, /1\.0\.0/);
  });

  test("an offset that is not the current one with 409 and the current one", async () => {
    const path = await createUpload(server);
    await append(server, path, 0, "12345");
    for (const offset of [0, 4, 6, 99]) {
      const answer = await append(server, path, offset, "x");
      expectFault(answer, 409, /offset 5/);
      expect(answer.header("upload-offset")).toBe("5");
    }
    expect(await offsetOf(server, path)).toBe(5);
  });

  test.each([
    ["no offset", { "Content-Type": "application/offset+octet-stream" }, 400],
    ["a malformed offset", { "Upload-Offset": "-1" }, 400],
    ["another media type", { "Content-Type": "text/plain", "Upload-Offset": "0" }, 415],
    ["a malformed checksum", { "Upload-Offset": "0", "Upload-Checksum": "sha1 x" }, 400],
    ["an unknown checksum", { "Upload-Offset": "0", "Upload-Checksum": "sha9 AAAA" }, 400],
    ["a draft without Upload-Complete", { "Content-Type": "application/partial-upload" }, 400],
  ])("%s", async (_, headers, status) => {
    const path = await createUpload(server);
    const type = { "Content-Type": "application/offset+octet-stream" };
    expectFault(await send(server, "PATCH", path, { ...type, ...headers }, "x"), status);
    expect(await offsetOf(server, path)).toBe(0);
  });

  test.each([
    ["neither length", {}],
    ["both lengths", { "Upload-Length": "1", "Upload-Defer-Length": "1" }],
    ["a deferred length of 2", { "Upload-Defer-Length": "2" }],
    ["a length of minus 1", { "Upload-Length": "-1" }],
    ["concatenation", { "Upload-Length": "1", "Upload-Concat": "partial" }],
    ["metadata that is not base64", { "Upload-Length": "1", "Upload-Metadata": "filename !" }],
    ["an invalid name", { "Upload-Length": "1", ...metadataOf({ filename: "a/b" }) }],
    ["an unknown visibility", { "Upload-Length": "1", ...metadataOf({ visibility: "x" }) }],
    ["a misspelt key", { "Upload-Length": "1", ...metadataOf({ visiblity: "private" }) }],
    ["a key in capitals", { "Upload-Length": "1", ...metadataOf({ Folder: "a" }) }],
    ["a digest that is none", { "Upload-Length": "1", ...metadataOf({ sha256: "x" }) }],
    ["metadata that is no object", { "Upload-Length": "1", ...metadataOf({ metadata: "[1" }) }],
  ])("a creation with %s", async (_, headers) => {
    expectFault(await createAsTus(server, headers), 400);
  });

  test("no creation with other keys of its client", async () => {
    const own = { relativePath: "a/b", caption: "x", date: "today", size: "1", username: "ada" };
    const headers = { "Upload-Length": "1", ...metadataOf({ filename: unique("own"), ...own }) };
    expect((await createAsTus(server, headers)).status).toBe(201);
  });

  test.each([
    ["body", { size: 8 }, {}],
    ["body, with a length in the request", {}, { "Upload-Length": "8" }],
  ])("the end of a file before its length: a %s", async (_, wanted, headers) => {
    const path = await createUpload(server, wanted);
    const draft = { "Content-Type": "application/partial-upload", "Upload-Complete": "?1" };
    const known = await append(server, path, 0, "12345", { ...draft, ...headers });
    expectFault(known, 400, /at byte 5, but the file has 8 bytes.*offset 0/);
    expect(known.header("upload-offset")).toBe("0");
    // Its end is known only after its last byte, so what has arrived stays.
    const connection = await openRaw(server.port);
    const fields = { ...draft, ...headers, "Upload-Offset": "0", "Transfer-Encoding": "chunked" };
    connection.send(head("PATCH", path, Object.entries(fields)));
    connection.send("5\r\n12345\r\n0\r\n\r\n");
    const chunked = await connection.answer();
    connection.destroy();
    expectFault(chunked, 400, /at byte 5, but the file has 8 bytes.*offset 5/);
    expect(chunked.header("upload-offset")).toBe("5");
    expect(await offsetOf(server, path)).toBe(5);
    const rest = await append(server, path, 5, "678", draft);
    expect([rest.status, rest.header("upload-complete")]).toEqual([204, "?1"]);
  });

  test.each([
    ["Tus-Resumable", "1.0.0"],
    ["Upload-Length", "5"],
    ["Upload-Defer-Length", "1"],
  ])("a creation with a JSON body and %s", async (header, value) => {
    const json = { "API-Key": server.apiKey, "Content-Type": "application/json" };
    const body = JSON.stringify({ name: "a", size: 5 });
    const both = await send(server, "POST", "/api/uploads", { ...json, [header]: value }, body);
    expectFault(both, 400, new RegExp(`JSON body or in headers.*${header}`));
    // Some clients send the media type although there is no body.
    const tus = { "Upload-Length": "5", "Content-Type": "application/json" };
    expect((await createAsTus(server, tus)).status).toBe(201);
  });

  test("more bytes than the length, without a trace of them", async () => {
    const path = await createUpload(server, { size: 5 });
    expectFault(await append(server, path, 0, "123456"), 413, /5 bytes/);
    expect(await offsetOf(server, path)).toBe(0);
    expect((await append(server, path, 0, "12345")).header("upload-complete")).toBe("?1");
  });

  test("a file that is larger than MAX_UPLOAD_SIZE or maxSize", async () => {
    expectFault(await createAsTus(server, { "Upload-Length": "52428801" }), 413);
    const path = await createUpload(server, { maxSize: 3 });
    expectFault(await append(server, path, 0, "1234"), 413);
    expect((await append(server, path, 0, "123")).header("upload-offset")).toBe("3");
    expectFault(await append(server, path, 3, "4"), 413);
  });

  test("a file that does not have its digest, and removes the upload", async () => {
    const path = await createUpload(server, { size: 5, sha256: sha256("12345") });
    await append(server, path, 0, "123");
    expectFault(await append(server, path, 3, "4x"), 422, /SHA-256/);
    expect((await stateOf(server, path)).status).toBe(404);
    const right = await createUpload(server, { size: 5, sha256: sha256("12345") });
    expect((await append(server, right, 0, "12345")).status).toBe(204);
  });
});

describe("digest fields", () => {
  const field = (text: string) => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`;

  test("Content-Digest drops a body with another one, and the offset stays", async () => {
    const path = await createUpload(server, { size: 10 });
    const wrong = { "Content-Digest": field("12346") };
    expectFault(
      await append(server, path, 0, "12345", wrong),
      400,
      /Content-Digest says .*dropped/,
    );
    expect(await offsetOf(server, path)).toBe(0);
    const right = { "Content-Digest": `sha-512=:AAAA:, ${field("12345")}` };
    expect((await append(server, path, 0, "12345", right)).header("upload-offset")).toBe("5");
    expectFault(await append(server, path, 5, "67890", wrong), 400);
    expect(await offsetOf(server, path)).toBe(5);
    const both = {
      "Content-Digest": field("67890"),
      "Upload-Checksum": `crc32 ${"A".repeat(6)}==`,
    };
    expect((await append(server, path, 5, "67890", both)).status).toBe(460);
    const last = { "Content-Digest": field("67890") };
    const done = await append(server, path, 5, "67890", last);
    expect((await send(server, "GET", done.header("content-location") ?? "")).text).toBe(
      "1234567890",
    );
  });

  test("Content-Digest of the first bytes is compared before the upload is created", async () => {
    const create = (digest: string) =>
      createAsTus(
        server,
        {
          "Upload-Length": "5",
          ...metadataOf({ filename: `${digest.at(-1)}.txt` }),
          "Content-Type": "application/offset+octet-stream",
          "Content-Digest": field(digest),
        },
        "12345",
      );
    const refused = await create("12346");
    expectFault(refused, 400, /Content-Digest/);
    expect(refused.header("location")).toBeNull();
    expect((await create("12345")).status).toBe(201);
  });

  test("Repr-Digest is that of the whole file, and a file with another one is removed", async () => {
    const right = { "Repr-Digest": field("12345") };
    const wrong = { "Repr-Digest": field("12346") };
    const created = async (digest: Record<string, string>) => {
      const headers = { "Upload-Length": "5", ...metadataOf({ filename: crypto.randomUUID() }) };
      return locationOf(await createAsTus(server, { ...headers, ...digest }));
    };
    for (const [path, last] of [
      [await created(wrong), {}],
      [await created({}), wrong],
    ] as const) {
      await append(server, path, 0, "123");
      expectFault(await append(server, path, 3, "45", last), 422, /SHA-256/);
      expect((await stateOf(server, path)).status).toBe(404);
    }
    const path = await created(right);
    expect((await append(server, path, 0, "123")).status).toBe(204);
    expectFault(await append(server, path, 3, "45", wrong), 400, /must not change/);
    const done = await append(server, path, 3, "45", right);
    expect([done.status, done.header("repr-digest")]).toEqual([204, field("12345")]);
    const other = { filename: "x", sha256: sha256("12346") };
    const contradiction = { "Upload-Length": "5", ...metadataOf(other), ...right };
    expectFault(await createAsTus(server, contradiction), 400, /different digests/);
  });

  test.each(["Content-Digest", "Repr-Digest"])("a malformed %s is refused", async (name) => {
    const path = await createUpload(server, { size: 5 });
    const answer = await append(server, path, 0, "12345", { [name]: "sha-256=AAAA" });
    expectFault(answer, 400, new RegExp(`${name} is malformed`));
    expect(await offsetOf(server, path)).toBe(0);
  });
});

describe("Upload-Checksum", () => {
  const digests = {
    sha1: (text: string) => createHash("sha1").update(text).digest("base64"),
    sha256: (text: string) => createHash("sha256").update(text).digest("base64"),
    md5: (text: string) => createHash("md5").update(text).digest("base64"),
    crc32(text: string) {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(crc32(text));
      return bytes.toString("base64");
    },
  };

  test.each(Object.entries(digests))("%s: drops a body with another one", async (name, digest) => {
    const path = await createUpload(server, { size: 10 });
    const wrong = { "Upload-Checksum": `${name} ${digest("12346")}` };
    expect((await append(server, path, 0, "12345", wrong)).status).toBe(460);
    expect(await offsetOf(server, path)).toBe(0);
    const right = { "Upload-Checksum": `${name} ${digest("12345")}` };
    expect((await append(server, path, 0, "12345", right)).header("upload-offset")).toBe("5");
    expect((await append(server, path, 5, "67890", wrong)).status).toBe(460);
    expect(await offsetOf(server, path)).toBe(5);
    const last = { "Upload-Checksum": `${name} ${digest("67890")}` };
    const done = await append(server, path, 5, "67890", last);
    expect((await send(server, "GET", done.header("content-location") ?? "")).text).toBe(
      "1234567890",
    );
  });
});
