import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { filePart, multipart } from "./multipart.ts";
import { newKeyData } from "./shapes.ts";
import { BYTES, metadataOf, noise, sha256, TUS } from "./upload-url.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

interface Creation {
  readonly folder: string;
  readonly filename?: string;
  readonly onConflict?: string;
  readonly sha256?: string;
  /** Default: the administrator's. */
  readonly key?: string;
}

/** Creates an upload together with all bytes of its file. */
function create(bytes: string | Uint8Array, { key = server.apiKey, ...given }: Creation) {
  const length = String(Buffer.byteLength(bytes));
  const metadata = metadataOf({ filename: "a.bin", ...given });
  const headers = { "API-Key": key, ...BYTES, "Upload-Length": length, ...metadata };
  return send(server, "POST", "/api/uploads", headers, bytes);
}

describe("a creation with all bytes that is sent again", () => {
  test.each(["refuse", "replace", "keepBoth", "skip"])(
    "gets the stored file, with onConflict=%s",
    async (onConflict) => {
      const folder = unique("again");
      const bytes = noise(100_000);
      const first = await create(bytes, { folder, onConflict });
      expect(first.status).toBe(201);
      for (const _ of Array(3)) {
        const again = await create(bytes, { folder, onConflict });
        expect([again.status, again.header("upload-complete")]).toEqual([201, "?1"]);
        expect(again.header("holdall-file")).toBe(first.header("holdall-file"));
        expect(again.header("repr-digest")).toBe(first.header("repr-digest"));
        expect(again.header("content-location")).toBe(first.header("content-location"));
        const state = await send(server, "HEAD", again.header("location") ?? "", TUS);
        expect(state.header("holdall-file")).toBe(first.header("holdall-file"));
      }
      const keys = (await a.list()).map(({ key }) => key);
      expect(keys.filter((key) => key.startsWith(`${folder}/`))).toEqual([`${folder}/a.bin`]);
    },
  );

  test("with the announced digest gets the stored file, and 422 with another one", async () => {
    const folder = unique("again");
    const digest = sha256("content");
    expect((await create("content", { folder, sha256: digest })).status).toBe(201);
    expect((await create("content", { folder, sha256: digest })).status).toBe(201);
    expectFault(await create("content", { folder, sha256: sha256("other") }), 422, /exists/);
  });

  test("gets 422 with other content, from another key, and once the file has changed", async () => {
    const folder = unique("again");
    const first = await create("content", { folder });
    expectFault(await create("CONTENT", { folder }), 422, /already exists/);
    const made = await a.json("POST", "/api/keys", { name: unique("other") });
    const { secret: key } = expectData(made, newKeyData);
    expectFault(await create("content", { folder, key }), 422, /already exists/);
    const id = first.header("holdall-file");
    await a.json("PUT", "/api/files", { id, name: "b.bin" });
    await a.json("PUT", "/api/files", { id, name: "a.bin" });
    expectFault(await create("content", { folder }), 422, /already exists/);
  });

  test.each(["refuse", "replace"])(
    "stores the file anew once its folder was renamed, with onConflict=%s",
    async (onConflict) => {
      const folder = unique("again");
      const first = await create("content", { folder, onConflict });
      expect(first.status).toBe(201);
      const renamed = await a.json("PUT", "/api/folders", { folder, name: `${folder}-archive` });
      expect(renamed.status).toBe(200);
      const again = await create("content", { folder, onConflict });
      expect(again.status).toBe(201);
      expect(again.header("holdall-file")).not.toBe(first.header("holdall-file"));
      const keys = (await a.list()).map(({ key }) => key);
      const stored = keys.filter((key) => key.startsWith(folder));
      expect(stored.toSorted()).toEqual([`${folder}-archive/a.bin`, `${folder}/a.bin`]);
    },
  );

  test("stores the file anew once it was deleted", async () => {
    const folder = unique("again");
    const first = await create("content", { folder });
    await a.json("DELETE", "/api/files", { id: first.header("holdall-file") });
    const again = await create("content", { folder });
    expect(again.status).toBe(201);
    expect(again.header("holdall-file")).not.toBe(first.header("holdall-file"));
  });
});

describe("in a batch", () => {
  async function batch(): Promise<string> {
    const answer = await a.json("POST", "/api/batches", { folder: unique("batch") });
    return `/${JSON.parse(answer.text).data.url}`;
  }

  test("a creation with all bytes gets the stored member when it is sent again", async () => {
    const path = await batch();
    const headers = { ...BYTES, "Upload-Length": "7", ...metadataOf({ filename: "a.bin" }) };
    for (const _ of Array(3)) {
      const answer = await send(server, "POST", `${path}/uploads`, headers, "content");
      expect([answer.status, answer.header("upload-complete")]).toEqual([201, "?1"]);
    }
    expectFault(await send(server, "POST", `${path}/uploads`, headers, "CONTENT"), 422);
    const committed = await send(server, "POST", `${path}/commit`);
    expect(JSON.parse(committed.text).data.batch.result).toMatchObject({ added: 1 });
  });

  test("a form gets the stored members when it is sent again, with the missing ones added", async () => {
    const path = await batch();
    const add = (parts: Parameters<typeof multipart>[0]) => {
      const { bytes, contentType } = multipart(parts);
      return send(server, "POST", `${path}/files`, { "Content-Type": contentType }, bytes);
    };
    expect((await add([filePart("a", "one"), filePart("b", "two")])).status).toBe(200);
    const again = await add([filePart("a", "one"), filePart("b", "two"), filePart("c", "three")]);
    expect(again.status).toBe(200);
    expect(JSON.parse(again.text).data.batch.files).toBe(3);
    expectFault(await add([filePart("a", "two")]), 409, /in the batch already/);
    const committed = await send(server, "POST", `${path}/commit`);
    expect(JSON.parse(committed.text).data.batch.result).toMatchObject({ added: 3 });
  });
});

test("HEAD of an upload that never was is 404, also with a key", async () => {
  for (const token of ["never", "0".repeat(32), `${"0".repeat(32)}.${"x".repeat(43)}`]) {
    for (const headers of [{}, { "API-Key": server.apiKey }]) {
      const answer = await send(server, "HEAD", `/api/uploads/${token}`, { ...TUS, ...headers });
      expect(answer.status).toBe(404);
    }
  }
});

test("a creation without a name is refused if no later request can give one", async () => {
  const segments = Array.from({ length: 128 }, () => "x").join("/");
  expectFault(await a.json("POST", "/api/uploads", { folder: segments, size: 1 }), 400, /128/);
  const headers = { "API-Key": server.apiKey, ...BYTES, "Upload-Length": "3" };
  expectFault(await send(server, "POST", "/api/uploads", headers, "abc"), 400, /needs a name/);
});
