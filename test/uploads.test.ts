import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import {
  append,
  createAsTus,
  createUpload,
  locationOf,
  metadataOf,
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
        "X-HTTP-Method-Override": "PATCH",
        "Upload-Offset": "0",
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
          "Content-Type": "application/partial-upload",
          "Upload-Complete": complete,
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
    upload: { name: "file.bin", offset: 1, size: 3 },
    complete: false,
    file: null,
  });
  await append(server, path, 1, "23");
  expect(expectData(await send(server, "GET", path), shape)).toEqual({
    upload: { name: "file.bin", offset: 3, size: 3 },
    complete: true,
    file: { key: `${folder}/file.bin` },
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
