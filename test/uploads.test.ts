import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { isOnS3 } from "./test-stores.ts";
import {
  append,
  base64,
  beginAppend,
  createAsTus,
  createUpload,
  locationOf,
  metadataOf,
  noise,
  offsetOf,
  sha256,
  stateOf,
} from "./upload-url.ts";

const server = await startServer({ MAX_UPLOAD_SIZE: "50mb" });
afterAll(() => server.discard());
const a = api(server);

const hosted = (key: string) => send(server, "GET", `/api/hosting/${key}`);

describe("an upload as tus defines it", () => {
  test("is created, appended to and complete", async () => {
    const folder = unique("tus");
    const created = await createAsTus(server, {
      "Upload-Length": "11",
      ...metadataOf({ filename: "a.txt", folder, visibility: "private" }),
    });
    const path = locationOf(created);
    expect(path).toMatch(/^\/api\/uploads\/[0-9a-f-]{36}\.[\w-]{43}$/);
    expect(created.header("tus-resumable")).toBe("1.0.0");
    expect(created.header("upload-expires")).toMatch(/ GMT$/);

    const first = await append(server, path, 0, "hello ");
    expect([first.status, first.header("upload-offset")]).toEqual([204, "6"]);
    expect(first.header("upload-complete")).toBe("?0");
    const state = await stateOf(server, path);
    expect([state.status, state.header("upload-offset")]).toEqual([200, "6"]);
    expect(state.header("upload-length")).toBe("11");
    expect(state.header("cache-control")).toBe("no-store");
    expect(state.header("upload-metadata")).toBe(
      metadataOf({ filename: "a.txt", folder, visibility: "private" })["Upload-Metadata"] ?? "",
    );
    expect(await a.list(`?name=a.txt`)).toEqual([]);

    const last = await append(server, path, 6, "world");
    expect([last.status, last.header("upload-offset")]).toEqual([204, "11"]);
    expect(last.header("content-location")).toBe(`/api/hosting/${folder}/a.txt`);
    expect(last.header("repr-digest")).toBe(
      `sha-256=:${Buffer.from(sha256("hello world"), "hex").toString("base64")}:`,
    );
    // Private files have no validators.
    expect(last.header("etag")).toBeNull();
    const file = await a.file(last.header("holdall-file") ?? "");
    expect(file).toMatchObject({ key: `${folder}/a.txt`, size: 11, visibility: "private" });
    const digest = await a.get(`/api/files/digest?id=${file.id}`);
    expect(digest.text).toContain(sha256("hello world"));

    const complete = await stateOf(server, path);
    expect(complete.header("upload-offset")).toBe("11");
    expect(complete.header("upload-complete")).toBe("?1");
    expect(complete.header("holdall-file")).toBe(file.id);
    // The response to the last request may have been lost.
    const repeated = await append(server, path, 11, "");
    expect([repeated.status, repeated.header("holdall-file")]).toEqual([204, file.id]);
  });

  test("takes the first bytes with the creation", async () => {
    const folder = unique("first");
    const headers = {
      "Upload-Length": "5",
      "Content-Type": "application/offset+octet-stream",
      ...metadataOf({ filename: "a.txt", folder }),
    };
    const part = await createAsTus(server, headers, "123");
    expect(part.header("upload-offset")).toBe("3");
    const rest = await append(server, locationOf(part), 3, "45");
    expect(rest.header("upload-complete")).toBe("?1");
    expect((await hosted(`${folder}/a.txt`)).text).toBe("12345");

    const whole = await createAsTus(
      server,
      { ...headers, ...metadataOf({ filename: "b.txt", folder }) },
      "54321",
    );
    expect([whole.status, whole.header("upload-complete")]).toEqual([201, "?1"]);
    expect((await hosted(`${folder}/b.txt`)).text).toBe("54321");
    const text = await createAsTus(
      server,
      { ...headers, ...metadataOf({ filename: "c.txt", folder }), "Content-Type": "text/plain" },
      "123",
    );
    expectFault(text, 415);
  });

  test("is complete at once if it is empty", async () => {
    const folder = unique("empty");
    const created = await createAsTus(server, {
      "Upload-Length": "0",
      ...metadataOf({ filename: "empty.txt", folder }),
    });
    expect(created.header("upload-complete")).toBe("?1");
    expect((await hosted(`${folder}/empty.txt`)).bytes.length).toBe(0);
    expectFault(await createAsTus(server, { "Upload-Length": "0" }), 400, /needs a name/);
  });

  test("gets its length later", async () => {
    const folder = unique("later");
    const created = await createAsTus(server, {
      "Upload-Defer-Length": "1",
      ...metadataOf({ filename: "a.txt", folder }),
    });
    const path = locationOf(created);
    expect((await append(server, path, 0, "12")).header("upload-complete")).toBe("?0");
    const state = await stateOf(server, path);
    expect([state.header("upload-defer-length"), state.header("upload-length")]).toEqual([
      "1",
      null,
    ]);
    expectFault(await append(server, path, 2, "x", { "Upload-Length": "1" }), 400, /2 bytes/);
    expect((await append(server, path, 2, "3", { "Upload-Length": "4" })).status).toBe(204);
    expect((await stateOf(server, path)).header("upload-length")).toBe("4");
    expectFault(await append(server, path, 3, "4", { "Upload-Length": "5" }), 400, /not change/);
    expect((await append(server, path, 3, "4")).header("upload-complete")).toBe("?1");
    expect((await hosted(`${folder}/a.txt`)).text).toBe("1234");
  });

  test("is cancelled", async () => {
    const path = await createUpload(server);
    await append(server, path, 0, "bytes");
    expect((await send(server, "DELETE", path, { "Tus-Resumable": "1.0.0" })).status).toBe(204);
    expect((await stateOf(server, path)).status).toBe(404);
    expectFault(await append(server, path, 5, "more"), 404);
  });

  test("describes what it can do", async () => {
    for (const path of ["/api/uploads", "/api/uploads/any"]) {
      const answer = await send(server, "OPTIONS", path);
      expect(answer.status).toBe(204);
      expect(answer.header("tus-version")).toBe("1.0.0");
      expect(answer.header("tus-extension")).toBe(
        "creation,creation-with-upload,creation-defer-length,expiration,checksum,termination",
      );
      expect(answer.header("tus-max-size")).toBe(String(50 * 1024 ** 2));
      expect(answer.header("tus-checksum-algorithm")).toBe("sha1,sha256,md5,crc32");
    }
  });

  test("works without PATCH and DELETE", async () => {
    const path = await createUpload(server);
    const patched = await send(
      server,
      "POST",
      path,
      {
        ...{ "X-HTTP-Method-Override": "PATCH", "Upload-Offset": "0" },
        "Content-Type": "application/offset+octet-stream",
      },
      "123",
    );
    expect([patched.status, patched.header("upload-offset")]).toEqual([204, "3"]);
    const deleted = await send(server, "POST", path, { "X-HTTP-Method-Override": "DELETE" });
    expect(deleted.status).toBe(204);
    expectFault(await send(server, "POST", path), 405);
  });
});

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
    ["a digest that is none", { "Upload-Length": "1", ...metadataOf({ sha256: "x" }) }],
    ["metadata that is no object", { "Upload-Length": "1", ...metadataOf({ metadata: "[1" }) }],
  ])("a creation with %s", async (_, headers) => {
    expectFault(await createAsTus(server, headers), 400);
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

describe("names", () => {
  test("are normalized to NFC, and never reach a header as they are", async () => {
    const folder = unique("nfc");
    const name = "Cafe\u0301 \r\nX-Evil: 1".replaceAll(/[\r\n]/g, "");
    const created = await createAsTus(server, {
      "Upload-Length": "1",
      ...metadataOf({ filename: name, folder }),
    });
    const done = await append(server, locationOf(created), 0, "x");
    const file = await a.file(done.header("holdall-file") ?? "");
    expect(file.name).toBe(name.normalize("NFC"));
    expect(done.header("content-location")).toBe(`/${file.url}`);
    const evil = metadataOf({ filename: "a\r\nSet-Cookie: x=1", folder });
    expectFault(await createAsTus(server, { "Upload-Length": "1", ...evil }), 400, /control/);
  });

  test("must be well-formed also beside a JSON body, as HEAD returns them", async () => {
    for (const bad of ["a !!!", `a ${"A".repeat(9000)}`]) {
      const answer = await send(
        ...([server, "POST", "/api/uploads"] as const),
        { "API-Key": server.apiKey, "Content-Type": "application/json", "Upload-Metadata": bad },
        JSON.stringify({ name: "a.txt", folder: unique("json") }),
      );
      expectFault(answer, 400, /Upload-Metadata/);
    }
  });

  test("may come with the first bytes", async () => {
    const path = await createUpload(server, { name: undefined, size: 4 });
    expectFault(await append(server, path, 0, "12"), 400, /no name/);
    const named = metadataOf({ filename: "late.txt", filetype: "text/plain" });
    expect((await append(server, path, 0, "12", named)).status).toBe(204);
    const done = await append(server, path, 2, "34");
    expect((await a.file(done.header("holdall-file") ?? "")).name).toBe("late.txt");
  });

  test("that are taken are refused at the creation and at the end, with 422", async () => {
    const folder = unique("taken");
    const other = await createUpload(server, { folder, name: "a.txt", size: 3 });
    const path = await createUpload(server, { folder, name: "a.txt", size: 3 });
    await append(server, path, 0, "12");
    await append(server, other, 0, "abc");
    const created = await a.json("POST", "/api/uploads", { folder, name: "a.txt" });
    expectFault(created, 422, /"a\.txt" already exists/);
    expectFault(await append(server, path, 2, "3"), 422, /already exists/);
    // The last offset and the file are one transaction.
    expect(await offsetOf(server, path)).toBe(2);
    const [{ id = "" } = {}] = await a.list("?name=a.txt");
    await a.json("DELETE", "/api/files", { id });
    expect((await append(server, path, 2, "3")).header("upload-complete")).toBe("?1");
    expect((await hosted(`${folder}/a.txt`)).text).toBe("123");
  });

  test("that are taken and come with the bytes are refused before the first of them", async () => {
    const folder = unique("late");
    await a.put(`${folder}/a.txt`, "old");
    const path = locationOf(await a.json("POST", "/api/uploads", { folder, size: 4 }));
    expectFault(await append(server, path, 0, "12", metadataOf({ filename: "a.txt" })), 422);
    expect(await offsetOf(server, path)).toBe(0);
    const other = metadataOf({ filename: "b.txt" });
    expect((await append(server, path, 0, "12", other)).header("upload-offset")).toBe("2");
    expect((await append(server, path, 2, "34")).header("upload-complete")).toBe("?1");
  });

  test("that are taken are replaced, kept or skipped if onConflict says so", async () => {
    const folder = unique("conflict");
    const old = await a.put(`${folder}/a.txt`, "old");
    const replace = await createUpload(server, { folder, name: "a.txt", onConflict: "replace" });
    const done = await append(server, replace, 0, "new", { "Upload-Length": "3" });
    expect(done.header("holdall-file")).toBe(old.id);
    expect((await hosted(`${folder}/a.txt`)).text).toBe("new");
    const both = await createUpload(server, { folder, name: "a.txt", onConflict: "keepBoth" });
    const kept = await append(server, both, 0, "two", { "Upload-Length": "3" });
    expect(kept.header("content-location")).toEndWith(
      "a%20(2).txt".replace("(", "%28").replace(")", "%29"),
    );
    const skip = await createUpload(server, { folder, name: "a.txt", onConflict: "skip" });
    const skipped = await append(server, skip, 0, "no!", { "Upload-Length": "3" });
    expect([skipped.status, skipped.header("upload-complete")]).toEqual([204, "?1"]);
    expect(skipped.header("holdall-file")).toBeNull();
    expect((await hosted(`${folder}/a.txt`)).text).toBe("new");
  });
});

describe("a broken connection", () => {
  const bytes = noise(3_000_000);

  test("keeps the bytes that have arrived", async () => {
    const folder = unique("cut");
    const path = await createUpload(server, { folder, size: bytes.length });
    const parts = [1, 100_000, 1_234_567];
    let offset = 0;
    for (const size of parts) {
      const connection = await beginAppend(server, path, {
        ...{ offset, length: bytes.length - offset },
        bytes: bytes.subarray(offset, offset + size),
      });
      const before = offset;
      const isStored = async () => (await offsetOf(server, path)) === before + size;
      // S3 only stores whole parts in the middle of a request.
      if (isOnS3) await Bun.sleep(500);
      else await eventually("the bytes are stored while the request goes on", isStored);
      connection.socket.resetAndDestroy();
      // The next request would get 423 while the server has not noticed it.
      await Bun.sleep(300);
      const hasMore = async () => (await offsetOf(server, path)) > before;
      await eventually("the bytes are stored", hasMore);
      offset = await offsetOf(server, path);
      expect(offset).toBeLessThanOrEqual(before + size);
    }
    const done = await append(server, path, offset, bytes.subarray(offset));
    expect(done.header("upload-complete")).toBe("?1");
    const whole = await hosted(`${folder}/file.bin`);
    expect(sha256(whole.bytes)).toBe(sha256(bytes));
    expect(done.header("repr-digest")).toContain(
      Buffer.from(sha256(bytes), "hex").toString("base64"),
    );
  });

  test("drops them if they have a checksum", async () => {
    const path = await createUpload(server, { size: 1000 });
    await append(server, path, 0, "12345");
    const connection = await beginAppend(
      server,
      path,
      { offset: 5, length: 995, bytes: noise(500) },
      { "Upload-Checksum": `sha1 ${base64(noise(20))}` },
    );
    await Bun.sleep(50);
    connection.socket.resetAndDestroy();
    await Bun.sleep(200);
    expect(await offsetOf(server, path)).toBe(5);
    expect((await append(server, path, 5, noise(995))).header("upload-complete")).toBe("?1");
  });
});

test("a second writer gets 423 once, and the first is stopped", async () => {
  const path = await createUpload(server, { size: 100 });
  const first = await beginAppend(server, path, { offset: 0, length: 100, bytes: noise(40) });
  await Bun.sleep(100);
  const answer = await append(server, path, 0, noise(100));
  expectFault(answer, 423);
  expect(answer.header("retry-after")).toBe("1");
  expect((await first.answer()).status).toBe(423);
  expect(await offsetOf(server, path)).toBe(40);
  expect((await append(server, path, 40, noise(60))).header("upload-complete")).toBe("?1");
});

describe("the fields of the IETF draft", () => {
  test("work at an upload URL", async () => {
    const path = await createUpload(server, { name: "draft.txt" });
    const state = await stateOf(server, path);
    expect(state.header("upload-complete")).toBe("?0");
    expect(state.header("upload-limit")).toBe(`max-size=${50 * 1024 ** 2}`);
    const draft = (offset: number, complete: string, body: string) =>
      send(
        server,
        "PATCH",
        path,
        {
          ...{ "Content-Type": "application/partial-upload", "Upload-Complete": complete },
          "Upload-Offset": String(offset),
        },
        body,
      );
    const first = await draft(0, "?0", "12");
    expect([first.status, first.header("upload-offset")]).toEqual([204, "2"]);
    expectFault(await draft(0, "?1", "x"), 409);
    const last = await draft(2, "?1", "34");
    expect([last.header("upload-complete"), last.header("upload-offset")]).toEqual(["?1", "4"]);
    expect((await send(server, "GET", last.header("content-location") ?? "")).text).toBe("1234");
  });
});

test("GET shows an upload and its file", async () => {
  const shape = z.object({
    upload: z.object({ name: z.string().nullable(), offset: z.number(), size: z.number() }),
    complete: z.boolean(),
    file: z.object({ key: z.string() }).nullable(),
  });
  const folder = unique("shown");
  const path = await createUpload(server, { folder, size: 3 });
  await append(server, path, 0, "1");
  const open = await send(server, "GET", path);
  expect(open.text).not.toContain(path.slice(-43));
  expect(expectData(open, shape)).toEqual({
    ...{ upload: { name: "file.bin", offset: 1, size: 3 }, complete: false, file: null },
  });
  await append(server, path, 1, "23");
  expect(expectData(await send(server, "GET", path), shape)).toEqual({
    upload: { name: "file.bin", offset: 3, size: 3 },
    ...{ complete: true, file: { key: `${folder}/file.bin` } },
  });
});

test("the audit log has the upload, made by the key that created it", async () => {
  const shape = z.object({
    activity: z.array(
      z.object({
        action: z.string(),
        actor: z.object({ kind: z.string() }),
        subject: z.object({ key: z.string().nullable() }).nullable(),
      }),
    ),
  });
  const folder = unique("logged");
  const path = await createUpload(server, { folder, size: 3 });
  await append(server, path, 0, "123");
  await eventually("the entries are there", async () => {
    const answer = await a.get("/api/activity?limit=200");
    expect(answer.text).not.toContain(path.slice(-43));
    const { activity } = expectData(answer, shape);
    const found = activity.filter(({ subject }) => subject?.key?.startsWith(folder));
    return (
      found.map(({ action, actor }) => `${action} ${actor.kind}`).join() ===
      "uploadFiles key,createUpload key"
    );
  });
});
