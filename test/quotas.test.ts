import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { api, send, unique } from "./client.ts";
import { eventually, expectFault } from "./expectations.ts";
import { freePort } from "./free-port.fixture.ts";
import { linkRequests } from "./link-requests.ts";
import { field, filePart, multipart } from "./multipart.ts";
import { codeOf, expectExceeded, quotaRequests } from "./quotas.fixture.ts";
import { head, openRaw } from "./raw.ts";
import { startS3Server } from "./s3-api/s3-server.fixture.ts";

const s3Port = await freePort();
const server = await startS3Server({
  // Other processes refuse early only some seconds after a quota was set.
  WORKERS: "1",
  S3_PORT: String(s3Port),
  KEEP_VERSIONS: "true",
  FETCH_BY_KEYS: "true",
  OUTGOING_ALLOW: "127.0.0.1",
  RATE_LIMIT_LINKS: "0",
  RATE_LIMIT_API: "0",
});
afterAll(() => server.discard());
const a = api(server);
const { setQuota, quotas, limited, used } = quotaRequests(server);
const withKey = { "API-Key": server.apiKey };
const bytes = (size: number) => new Uint8Array(size);

const put = (key: string, size: number, query = "") =>
  send(
    server,
    "PUT",
    `/api/files/content?key=${encodeURIComponent(key)}${query}`,
    withKey,
    bytes(size),
  );

function form(folder: string, sizes: readonly number[]) {
  const parts = sizes.map((size, at) => filePart(`f${at}`, bytes(size)));
  const { contentType, bytes: body } = multipart([field("folder", folder), ...parts]);
  return send(server, "POST", "/api/files", { ...withKey, "Content-Type": contentType }, body);
}

describe("the quota of a folder", () => {
  test("is set, shown, changed and removed", async () => {
    const top = unique("quota");
    await a.put(`${top}/sub/a`, bytes(40));
    const set = await setQuota({ key: top, maxBytes: 100 });
    const { quota } = JSON.parse(set.text).data;
    const expected = { maxBytes: 100, maxFiles: null, usedBytes: 40, usedFiles: 1 };
    expect(quota).toMatchObject({ folder: { key: top }, ...expected, isExceeded: false });
    expect(await quotas(`?key=${top}/sub`)).toEqual([quota]);
    expect(await quotas(`?id=${quota.folder.id}`)).toEqual([quota]);
    expect((await quotas()).filter(({ folder }) => folder.key === top)).toEqual([quota]);
    // A limit that is not given stays.
    const more = await setQuota({ id: quota.folder.id, maxFiles: 0 });
    expect(JSON.parse(more.text).data.quota).toMatchObject({
      maxBytes: 100,
      maxFiles: 0,
      isExceeded: true,
    });
    const none = await setQuota({ key: top, maxBytes: null, maxFiles: null });
    expect(JSON.parse(none.text).data).toEqual({ quota: null });
    expect(await quotas(`?key=${top}`)).toEqual([]);
    expect((await put(`${top}/large`, 1000)).status).toBe(201);
  });

  test("refuses wrong folders and limits", async () => {
    const top = unique("quota");
    await a.folder(`${top}/sub`);
    expectFault(await setQuota({ key: `${top}/sub`, maxBytes: 1 }), 400, /directly below the root/);
    expectFault(await setQuota({ key: "none-of-these", maxBytes: 1 }), 404);
    expectFault(await setQuota({ key: top }), 400, /at least one/);
    for (const maxBytes of [-1, 1.5, "1", 2 ** 60]) {
      expectFault(await setQuota({ key: top, maxBytes }), 400);
    }
    expectFault(await a.get("/api/folders/quota?key=none-of-these"), 404);
  });

  test("is not for keys that are limited to a folder, not even to set", async () => {
    const top = unique("quota");
    await limited(top, { maxBytes: 100 });
    const made = await a.json("POST", "/api/keys", {
      name: unique("key"),
      folder: top,
      actions: ["admin"],
    });
    const { secret } = JSON.parse(made.text).data;
    const inside = quotaRequests({ url: server.url, apiKey: secret });
    expect(codeOf(await inside.setQuota({ key: top, maxBytes: 1000 }))).toEqual([403, "forbidden"]);
    expect((await inside.quotas()).map(({ folder }) => folder.key)).toEqual([top]);
  });

  test("is exact at its edge for forms, raw bodies and replaced files", async () => {
    const top = unique("quota");
    await limited(top, { maxBytes: 100, maxFiles: 4 });
    expectExceeded(await form(top, [60, 41]));
    expect((await form(top, [60, 20])).status).toBe(200);
    expectExceeded(await put(`${top}/raw`, 21));
    expect((await put(`${top}/raw`, 10)).status).toBe(201);
    // The earlier content is kept as a version.
    expectExceeded(await put(`${top}/raw`, 11, "&onConflict=replace"));
    expect((await put(`${top}/raw`, 10, "&onConflict=replace")).status).toBe(200);
    expect(await used(top)).toEqual([100, 4]);
    expectExceeded(await put(`${top}/empty`, 0));
    expect((await a.list(`?name=empty`)).filter(({ key }) => key.startsWith(top))).toEqual([]);
  });

  test("refuses by the declared length, before the bytes are sent", async () => {
    const top = unique("quota");
    await limited(top, { maxBytes: 1_000_000 });
    const path = `/api/files/content?key=${top}/large`;
    const connection = await openRaw(server.port);
    connection.send(
      head("PUT", path, [
        ["API-Key", server.apiKey],
        ["Content-Length", "5000000"],
      ]),
    );
    const answer = await connection.answer();
    expect(answer.status).toBe(507);
    connection.destroy();
  });

  test("counts moves, copies, the trash and versions, and refuses what does not fit", async () => {
    const [top, other] = [unique("quota"), unique("other")];
    await limited(top, { maxBytes: 100 });
    const file = await a.put(`${other}/a`, bytes(60));
    const { folder } = await a.browse(top);
    const copy = (name: string) =>
      a.json("POST", "/api/files/copy", { id: file.id, folderId: folder.id, name });
    expect((await copy("one")).status).toBe(200);
    expectExceeded(await copy("two"));
    const move = { id: file.id, folderId: folder.id, name: "b" };
    expectExceeded(await a.json("PUT", "/api/files", move));
    const source = await a.browse(other);
    const moveAll = { id: source.folder.id, parentId: folder.id };
    expectExceeded(await a.json("PUT", "/api/folders", moveAll));
    expectExceeded(await a.json("POST", "/api/folders/copy", moveAll));
    const [copied] = (await a.browse(top)).files;
    const trashed = await a.json("DELETE", "/api/files", { id: copied?.id, trash: true });
    expect(await used(top)).toEqual([60, 1]);
    expectExceeded(await a.json("PUT", "/api/files", move));
    const { undoId } = JSON.parse(trashed.text).data;
    expect((await a.json("POST", "/api/trash/restore", { undoId })).status).toBe(200);
    expect(await used(top)).toEqual([60, 1]);
    await a.json("DELETE", "/api/files", { id: copied?.id, trash: false });
    expect(await used(top)).toEqual([0, 0]);
    expect((await a.json("PUT", "/api/folders", moveAll)).status).toBe(200);
    expect(await used(top)).toEqual([60, 1]);
    expect(codeOf(await a.json("PUT", "/api/folders", { id: folder.id, parent: "/" }))[0]).toBe(
      200,
    );
    const elsewhere = await a.folder(unique("elsewhere"));
    const away = await a.json("PUT", "/api/folders", { id: folder.id, parentId: elsewhere.id });
    expect(codeOf(away)).toEqual([409, "conflict"]);
  });

  test("holds for a batch as a whole, and for what visitors send", async () => {
    const top = unique("quota");
    await limited(top, { maxBytes: 100 });
    const batch = JSON.parse((await a.json("POST", "/api/batches", { folder: top })).text).data;
    const add = (url: string, name: string) => {
      const { contentType, bytes: body } = multipart([filePart(name, bytes(60))]);
      return send(server, "POST", `/${url}/files`, { "Content-Type": contentType }, body);
    };
    for (const name of ["a", "b"]) expect((await add(batch.url, name)).status).toBe(200);
    const json = { "Content-Type": "application/json" };
    const large = JSON.stringify({ name: "c", size: 1 });
    expectExceeded(await send(server, "POST", `/${batch.url}/uploads`, json, large));
    expectExceeded(await send(server, "POST", `/${batch.url}/commit`));
    expect((await a.browse(top)).files).toEqual([]);

    const { folder } = await a.browse(top);
    const { path } = await linkRequests(server).share({ folderId: folder.id, kind: "drop" });
    const started = await send(server, "POST", `${path}/batch`, json, '{"name":"Ada"}');
    const { url } = JSON.parse(started.text).data;
    for (const name of ["a", "b"]) expect((await add(url, name)).status).toBe(200);
    const refused = [
      await send(server, "POST", `/${url}/commit`),
      await send(server, "POST", `/${url}/uploads`, json, large),
    ];
    const { contentType, bytes: body } = multipart([filePart("a", bytes(101), "files")]);
    for (const accept of ["application/json", "text/html"]) {
      const headers = { "Content-Type": contentType, Accept: accept };
      refused.push(await send(server, "POST", path, headers, body));
    }
    for (const answer of refused) {
      expect(answer.status).toBe(507);
      // Visitors do not learn how much the owner stores.
      expect(answer.text).toMatch(/not enough room/);
      expect(answer.text).not.toMatch(/quota of|are used|"limit"/);
    }
    expectExceeded(refused[0] ?? expect.unreachable());
    expect(await used(top)).toEqual([0, 0]);
  });
});

describe("resumable uploads into a folder with a quota", () => {
  const tus = { ...withKey, "Tus-Resumable": "1.0.0" };
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const create = (folder: string, length: string) =>
    send(server, "POST", "/api/uploads", {
      ...tus,
      ...(length === "" ? { "Upload-Defer-Length": "1" } : { "Upload-Length": length }),
      "Upload-Metadata": `filename ${base64(unique("tus"))},folder ${base64(folder)}`,
    });
  const patch = (url: string, size: number, more = {}) =>
    send(
      server,
      "PATCH",
      url,
      {
        ...tus,
        "Content-Type": "application/offset+octet-stream",
        "Upload-Offset": "0",
        ...more,
      },
      bytes(size),
    );

  test("are refused by their length, at once or when it is known", async () => {
    const top = unique("quota");
    await limited(top, { maxBytes: 100 });
    expectExceeded(await create(top, "101"));
    const deferred = await create(top, "");
    const url = new URL(deferred.header("location") ?? "", server.url).pathname;
    const late = await patch(url, 1, { "Upload-Length": "101" });
    expectExceeded(late);
    expect(late.header("tus-resumable")).toBe("1.0.0");
  });

  test("are refused at their end if others were faster", async () => {
    const top = unique("quota");
    await limited(top, { maxBytes: 100 });
    const urls = await Promise.all(
      [60, 60].map(async (size) => {
        const created = await create(top, String(size));
        return new URL(created.header("location") ?? "", server.url).pathname;
      }),
    );
    const ends = await Promise.all(urls.map((url) => patch(url, 60)));
    expect(ends.map(({ status }) => status).sort()).toEqual([204, 507]);
    expect(await used(top)).toEqual([60, 1]);
    // The upload stays, and ends once there is room.
    const refused = urls[ends.findIndex(({ status }) => status === 507)] ?? "";
    await setQuota({ key: top, maxBytes: 120 });
    const { "upload-offset": offset } = Object.fromEntries(
      (await fetch(`${server.url}${refused}`, { method: "HEAD", headers: tus })).headers,
    );
    const from = Number(offset);
    const again = await patch(refused, 60 - from, { "Upload-Offset": String(from) });
    expect(again.status).toBe(204);
    expect(await used(top)).toEqual([120, 2]);
  });
});

describe("files from URLs", () => {
  const source = createServer((_request, response) => response.end(Buffer.alloc(101)));
  beforeAll(() => new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void source.close());

  test("are refused by their length", async () => {
    const top = unique("quota");
    await limited(top, { maxBytes: 100 });
    const address = source.address();
    const port = typeof address === "object" ? address?.port : 0;
    const wanted = { url: `http://127.0.0.1:${port}/x`, folder: top, name: "x" };
    const begun = await a.json("POST", "/api/files/fetch", wanted);
    const [{ url }] = JSON.parse(begun.text).data.uploads;
    const state = async () => {
      const shown = await send(server, "GET", `/${url}`, { "Tus-Resumable": "1.0.0" });
      return JSON.parse(shown.text).data.fetch;
    };
    await eventually("it has failed", async () => (await state())?.state === "failed");
    expect((await state()).error).toContain("quota of the folder");
    expect(await used(top)).toEqual([0, 0]);
  });
});

describe("the S3 API", () => {
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${s3Port}`,
    credentials: server.credentials,
    region: "us-east-1",
    forcePathStyle: true,
  });
  afterAll(() => client.destroy());
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => "no failure",
      (error) => [error.$metadata?.httpStatusCode, error.name, error.$metadata?.attempts],
    );
  /** Once: SDKs would repeat a 5xx. */
  const EXCEEDED = [403, "QuotaExceeded", 1];
  const MIB = 1024 ** 2;

  test("answers QuotaExceeded with 403 to every kind of upload", async () => {
    const Bucket = unique("quota-bucket");
    await limited(Bucket, { maxBytes: 12 * MIB });
    const putObject = (Key: string, size: number) =>
      client.send(new PutObjectCommand({ Bucket, Key, Body: bytes(size) }));
    expect(await failure(putObject("large", 13 * MIB))).toEqual(EXCEEDED);
    await putObject("a/b", 7 * MIB);
    const copy = new CopyObjectCommand({ Bucket, Key: "copy", CopySource: `${Bucket}/a/b` });
    expect(await failure(client.send(copy))).toEqual(EXCEEDED);

    const Key = "parts";
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const part = (PartNumber: number, size: number) =>
      client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body: bytes(size) }));
    expect(await failure(part(1, 6 * MIB))).toEqual(EXCEEDED);
    const Parts = [
      { PartNumber: 1, ETag: (await part(1, 5 * MIB)).ETag },
      { PartNumber: 2, ETag: (await part(2, MIB)).ETag },
    ];
    const complete = () =>
      client.send(
        new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
      );
    expect(await failure(complete())).toEqual(EXCEEDED);
    expect(await used(Bucket)).toEqual([7 * MIB, 1]);
    await setQuota({ key: Bucket, maxBytes: 13 * MIB });
    await complete();
    expect(await used(Bucket)).toEqual([13 * MIB, 2]);
  });
});
