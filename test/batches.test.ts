import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { api, type Reachable, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer, type TestServer } from "./harness.ts";
import { field, filePart, multipart, type Part } from "./multipart.ts";
import { head, openRaw } from "./raw.ts";
import { newKeyData } from "./shapes.ts";
import { isOnS3 } from "./test-stores.ts";
import { append, beginAppend, locationOf, noise, stateOf } from "./upload-url.ts";

const server = await startServer({ MAX_FILES_PER_REQUEST: "1000" });
/* Long enough for a busy machine to add a file. */
const shortLived = await startServer({ UPLOAD_EXPIRY: "4s" });
afterAll(() => Promise.all([server.discard(), shortLived.discard()]));
const a = api(server);
const blobsOf = ({ dataPath }: TestServer): number =>
  readdirSync(join(dataPath, "blobs"), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length;

const batchShape = z.strictObject({
  id: z.string(),
  state: z.enum(["open", "committed"]),
  folder: z.string(),
  visibility: z.string().nullable(),
  onConflict: z.string(),
  files: z.number(),
  bytes: z.number(),
  result: z
    .strictObject({
      added: z.number(),
      replaced: z.number(),
      skipped: z.number(),
      committedAt: z.string(),
    })
    .nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
const created = z.strictObject({ batch: batchShape, url: z.string() });
const changed = z.strictObject({ batch: batchShape });
const shown = z.strictObject({
  batch: batchShape,
  members: z.array(z.object({ folder: z.string(), name: z.string(), size: z.number() })),
  uploads: z.array(z.object({ name: z.string().nullable(), offset: z.number() })),
});

async function createBatch(to: Reachable, body: object): Promise<string> {
  return `/${expectData(await api(to).json("POST", "/api/batches", body), created).url}`;
}

/** No request to a batch URL has an API key. */
function add(path: string, parts: readonly Part[], to: Reachable = server) {
  const { contentType, bytes } = multipart(parts);
  return send(to, "POST", `${path}/files`, { "Content-Type": contentType }, bytes);
}

const createIn = (path: string, body: object) =>
  send(
    server,
    "POST",
    `${path}/uploads`,
    { "Content-Type": "application/json" },
    JSON.stringify(body),
  );

const commit = (path: string) => send(server, "POST", `${path}/commit`);
const show = async (path: string) => expectData(await send(server, "GET", path), shown);
const hosted = async (key: string) => (await send(server, "GET", `/api/hosting/${key}`)).text;

describe("a batch", () => {
  test("appears whole when it is committed, and not before", async () => {
    const folder = unique("site");
    const path = await createBatch(server, { folder });
    const form = [field("folder", "css"), filePart("a.css", "a"), filePart("b.css", "bb")];
    expect((await add(path, form)).status).toBe(200);
    expect((await add(path, [filePart("index.html", "<p>")])).status).toBe(200);
    const upload = locationOf(await createIn(path, { folder: "video", name: "v.mp4", size: 6 }));
    await append(server, upload, 0, "123");
    expectFault(await commit(path), 409, /not (?:complete|finished)/);
    const done = await append(server, upload, 3, "456");
    expect([done.status, done.header("upload-complete")]).toEqual([204, "?1"]);
    expect(done.header("holdall-file")).toBeNull();

    const before = await show(path);
    expect(before.batch).toMatchObject({ state: "open", files: 4, bytes: 12, folder });
    expect(before.members.map(({ folder: at, name }) => `${at}/${name}`)).toEqual([
      ...["css/a.css", "css/b.css", "/index.html", "video/v.mp4"],
    ]);
    expect((await a.json("GET", `/api/folders?key=${folder}`)).status).toBe(404);
    expect((await send(server, "GET", `/api/hosting/${folder}/index.html`)).status).toBe(404);

    const { batch } = expectData(await commit(path), changed);
    expect(batch.result).toMatchObject({ added: 4, replaced: 0, skipped: 0 });
    expect(await hosted(`${folder}/index.html`)).toBe("<p>");
    expect(await hosted(`${folder}/css/b.css`)).toBe("bb");
    expect(await hosted(`${folder}/video/v.mp4`)).toBe("123456");
    // Sent again after a broken connection.
    expect(expectData(await commit(path), changed).batch.result).toEqual(batch.result);
    expectFault(await add(path, [filePart("late.txt", "x")]), 410, /committed/);
  });

  test("shows its open uploads, and a repeated creation replaces the first", async () => {
    const path = await createBatch(server, { folder: unique("open") });
    const first = locationOf(await createIn(path, { name: "a", size: 3 }));
    await append(server, first, 0, "1");
    const second = locationOf(await createIn(path, { name: "a", size: 3 }));
    expect((await stateOf(server, first)).status).toBe(404);
    expect((await show(path)).uploads).toMatchObject([{ name: "a", offset: 0 }]);
    await append(server, second, 0, "123");
    expectFault(await createIn(path, { name: "a", size: 3 }), 422);
    expect((await commit(path)).status).toBe(200);
  });

  test("a form with the file of an open upload replaces the upload", async () => {
    const folder = unique("open");
    const path = await createBatch(server, { folder });
    const upload = locationOf(await createIn(path, { name: "a", size: 3 }));
    await append(server, upload, 0, "1");
    expect((await add(path, [filePart("a", "form")])).status).toBe(200);
    expectFault(await append(server, upload, 1, "23"), 404);
    expect((await show(path)).uploads).toEqual([]);
    expect((await commit(path)).status).toBe(200);
    expect(await hosted(`${folder}/a`)).toBe("form");
  });

  test.skipIf(isOnS3)("a form that is sent again adds nothing, and leaves no blob", async () => {
    const path = await createBatch(server, { folder: unique("again") });
    const form = [filePart("a", "a"), filePart("b", "bb")];
    expect((await add(path, form)).status).toBe(200);
    const before = blobsOf(server);
    expect((await add(path, form)).status).toBe(200);
    expect((await show(path)).members).toHaveLength(2);
    // The next sweep comes much later.
    await eventually("its blobs are removed", () => blobsOf(server) <= before, 10_000);
  });

  test.skipIf(isOnS3)("a whole upload that is sent again leaves no blob", async () => {
    const path = await createBatch(server, { folder: unique("again") });
    const headers = {
      ...{ "Tus-Resumable": "1.0.0", "Upload-Length": "5" },
      ...{ "Upload-Metadata": `filename ${btoa("a")}` },
      "Content-Type": "application/offset+octet-stream",
    };
    const sendWhole = () => send(server, "POST", `${path}/uploads`, headers, "whole");
    expect((await sendWhole()).status).toBe(201);
    const before = blobsOf(server);
    const again = await sendWhole();
    expect([again.status, again.header("upload-complete")]).toEqual([201, "?1"]);
    expect((await show(path)).members).toHaveLength(1);
    // The next sweep comes much later.
    await eventually("its blob is removed", () => blobsOf(server) <= before, 10_000);
  });

  test("changes nothing if a name is taken", async () => {
    const folder = unique("conflict");
    await a.put(`${folder}/b`, "old");
    const path = await createBatch(server, { folder });
    await add(path, [filePart("a", "new"), filePart("b", "new"), filePart("c", "new")]);
    expectFault(await commit(path), 409, /"b"/);
    expect((await a.browse(folder)).files.map(({ name }) => name)).toEqual(["b"]);
    const [{ id = "" } = {}] = (await a.browse(folder)).files;
    await a.json("DELETE", "/api/files", { id });
    expect((await commit(path)).status).toBe(200);
    expect((await a.browse(folder)).files.map(({ name }) => name).toSorted()).toEqual([
      ...["a", "b", "c"],
    ]);
  });

  test("replaces, keeps or skips taken names as it says", async () => {
    const counts = { replace: [1, 1, 0], keepBoth: [2, 0, 0], skip: [1, 0, 1] };
    for (const [onConflict, [added, replaced, skipped]] of Object.entries(counts)) {
      const folder = unique(onConflict);
      await a.put(`${folder}/a`, "old");
      const path = await createBatch(server, { folder, onConflict, visibility: "private" });
      await add(path, [filePart("a", "new"), filePart("b", "new")]);
      const { batch } = expectData(await commit(path), changed);
      expect(batch.result).toMatchObject({ added, replaced, skipped });
      const b = (await a.browse(folder)).files.find(({ name }) => name === "b");
      expect(b?.visibility).toBe("private");
    }
  });

  test("refuses what belongs to the batch, and paths that are in it already", async () => {
    const path = await createBatch(server, { folder: unique("refused") });
    expectFault(await add(path, [field("onConflict", "skip"), filePart("a", "x")]), 400, /batch/);
    expectFault(await add(path, [filePart("a", "x"), field("onConflict", "skip")]), 400);
    expect((await add(path, [filePart("a", "x")])).status).toBe(200);
    expectFault(await add(path, [filePart("b", "x"), filePart("a", "y")]), 409);
    expectFault(await add(path, [field("folder", "a"), filePart("b", "x")]), 409);
    expectFault(await add(path, []), 400);
    expect((await show(path)).batch.files).toBe(1);
  });

  test("is dropped with everything in it", async () => {
    const folder = unique("dropped");
    const path = await createBatch(server, { folder });
    await add(path, [filePart("a", "x")]);
    const upload = locationOf(await createIn(path, { name: "b", size: 3 }));
    await append(server, upload, 0, "1");
    expect((await send(server, "DELETE", path)).status).toBe(200);
    expectFault(await commit(path), 404);
    expect((await stateOf(server, upload)).status).toBe(404);
    expect((await a.json("GET", `/api/folders?key=${folder}`)).status).toBe(404);
  });

  test("expires with everything in it", async () => {
    const path = await createBatch(shortLived, { folder: "expired" });
    await add(path, [filePart("a", "x")], shortLived);
    await eventually("it has expired", async () =>
      [404, 410].includes((await send(shortLived, "GET", path)).status),
    );
    expect([404, 410]).toContain((await send(shortLived, "POST", `${path}/commit`)).status);
    expect(await api(shortLived).list()).toEqual([]);
  });

  test("is not committed without an upload that has expired, which can be cancelled", async () => {
    const path = await createBatch(server, { folder: unique("lacks") });
    await add(path, [filePart("a", "x")]);
    const upload = locationOf(await createIn(path, { name: "b", size: 3, expiresIn: 1 }));
    await eventually("it has expired", async () => (await stateOf(server, upload)).status === 410);
    expectFault(await append(server, upload, 0, "123"), 410);
    expectFault(await commit(path), 409, /"b" is not finished/);
    expect((await send(server, "DELETE", upload)).status).toBe(204);
    expect((await commit(path)).status).toBe(200);
  });

  test("ends when the key that created it is revoked", async () => {
    const folder = unique("revoked");
    await a.folder(folder);
    const rights = { name: unique("key"), actions: ["write"], folder };
    const { key, secret } = expectData(await a.json("POST", "/api/keys", rights), newKeyData);
    const limited = { url: server.url, apiKey: secret };
    expectFault(await api(limited).json("POST", "/api/batches", { folder: unique("out") }), 404);
    const path = await createBatch(limited, {});
    expect((await add(path, [filePart("a", "x")])).status).toBe(200);
    expect((await show(path)).batch.folder).toBe(folder);
    await a.json("DELETE", "/api/keys", { id: key.id });
    expectFault(await commit(path), 404);
    expectFault(await add(path, [filePart("b", "x")]), 404);
    expect((await a.browse(folder)).files).toEqual([]);
  });

  test("takes nothing that arrives after its commit", async () => {
    const path = await createBatch(server, { folder: unique("late") });
    const form = multipart([filePart("late.txt", "x".repeat(1000))]);
    const connection = await openRaw(server.port);
    connection.send(
      head("POST", `${path}/files`, [
        ["Content-Type", form.contentType],
        ["Content-Length", String(form.bytes.length)],
      ]),
    );
    connection.send(form.bytes.subarray(0, 500));
    // Nothing shows that the request has begun.
    await Bun.sleep(100);
    expect((await commit(path)).status).toBe(200);
    connection.send(form.bytes.subarray(500));
    expectFault(await connection.answer(), 410, /committed/);
    connection.destroy();
  });

  test("refuses text fields that it does not know", async () => {
    const path = await createBatch(server, { folder: unique("fields") });
    const added = await add(path, [field("caption", "x"), filePart("a", "x")]);
    expectFault(added, 400, /`caption` is not a field of this form, which has `files`, `sha256`/);
    expect((await add(path, [field("visibility", "private"), filePart("a", "x")])).status).toBe(
      200,
    );
    expectFault(
      await send(server, "POST", `${path}/commit`, {}, '{"onConflict":"replace"}'),
      400,
      /`onConflict` is not a field of this request, which has none/,
    );
  });

  test("looks missing with another secret", async () => {
    const path = await createBatch(server, {});
    for (const wrong of [path.slice(0, -1), `${path.split(".")[0]}.${"A".repeat(43)}`]) {
      expectFault(await send(server, "GET", wrong), 404);
      expectFault(await commit(wrong), 404);
      expectFault(await send(server, "DELETE", wrong), 404);
      expectFault(await add(wrong, [filePart("a", "x")]), 404);
      expectFault(await createIn(wrong, { name: "a" }), 404);
    }
  });

  test("can be used from pages of other origins", async () => {
    const path = await createBatch(server, { folder: unique("cors") });
    const Origin = "https://elsewhere.example";
    for (const [method, at] of [
      ["POST", `${path}/files`],
      ["POST", `${path}/uploads`],
      ["POST", `${path}/commit`],
      ["DELETE", path],
    ] as const) {
      const preflight = await send(server, "OPTIONS", at, {
        Origin,
        "Access-Control-Request-Method": method,
      });
      expect([preflight.status, preflight.header("access-control-allow-origin")]).toEqual([
        204,
        "*",
      ]);
      expect(preflight.header("access-control-allow-methods")).toContain(method);
    }
    const answer = await send(server, "GET", path, { Origin, "Sec-Fetch-Site": "cross-site" });
    expect([answer.status, answer.header("access-control-allow-origin")]).toEqual([200, "*"]);
  });
});

test("2,000 files over broken connections appear at once", async () => {
  const folder = unique("large");
  const path = await createBatch(server, { folder });
  for (let part = 0; part < 20; part += 1) {
    const files = Array.from({ length: 100 }, (_, at) => filePart(`f${at}`, `${part} ${at}`));
    // A request that breaks off leaves nothing of its files.
    const broken = await beginAppend(server, `${path}/files`, {
      offset: 0,
      length: 10_000,
      bytes: noise(100),
    });
    broken.destroy();
    const answer = await add(path, [field("folder", `d${part % 10}/s${part}`), ...files]);
    expect(answer.status).toBe(200);
  }
  expect((await show(path)).members.length).toBe(2000);
  expectData(await commit(path), changed);
  const size = await a.get(`/api/folders/size?key=${folder}`);
  expect(JSON.parse(size.text).data).toMatchObject({ files: 2000, folders: 30 });
  expect(await hosted(`${folder}/d3/s13/f7`)).toBe("13 7");
});
