import { afterAll, describe, expect, test } from "bun:test";
import { AwsV4Signer } from "aws4fetch";
import { api, type Reachable, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { field, filePart, multipart } from "./multipart.ts";
import { createS3Key, type S3Credentials, startS3Server } from "./s3-api/s3-server.fixture.ts";
import { newKeyData } from "./shapes.ts";
import { trashApi } from "./trash-requests.ts";
import { append, BYTES, createAsTus, createUpload, metadataOf } from "./upload-url.ts";

/*
 * Keys with `discard` and without `delete`, on servers that would delete permanently and keep no versions by
 * themselves: with a trash, everything that such a key does can be undone; without one, it loses nothing.
 */

const SETTINGS = {
  KEEP_VERSIONS: "false",
  TRASH_DELETIONS: "false",
  RATE_LIMIT_API: "0",
} as const;
const withTrash = await startS3Server(SETTINGS);
const withoutTrash = await startS3Server({ ...SETTINGS, TRASH_DAYS: "0" });
afterAll(() => Promise.all([withTrash.discard(), withoutTrash.discard()]));

const ACTIONS = ["list", "read", "write", "discard"];

async function createKey(server: Reachable, actions: readonly string[]): Promise<Reachable> {
  const body = { name: unique("key"), actions };
  const { secret } = expectData(await api(server).json("POST", "/api/keys", body), newKeyData);
  return { url: server.url, apiKey: secret };
}

async function sendS3(
  server: Reachable,
  { accessKeyId, secretAccessKey }: S3Credentials,
  method: string,
  path: string,
  { body, ...headers }: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string }> {
  const signer = new AwsV4Signer({
    method,
    url: `${server.url}/${path}`,
    service: "s3",
    region: "us-east-1",
    accessKeyId,
    secretAccessKey,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const signed = await signer.sign();
  const answer = await fetch(signed.url, {
    method,
    headers: signed.headers,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, text: await answer.text() };
}

const server = withTrash;
const a = api(server);
const limited = await createKey(server, ACTIONS);
const mine = trashApi(server, limited.apiKey);
const all = trashApi(server);

const putContent = (by: Reachable, key: string, content: string) =>
  send(by, "PUT", `/api/files/content?key=${key}`, { "API-Key": by.apiKey }, content);

async function contentOf(on: Reachable, id: string): Promise<string> {
  const answer = await api(on).get(`/api/files/download/${id}`);
  return answer.status === 200 ? answer.text : `${answer.status}`;
}

describe("a key with `discard` alone", () => {
  test("deletes files and folders into the trash, whatever the setting says", async () => {
    const folder = unique("trashed");
    const one = await a.put(`${folder}/one.txt`, "one");
    await a.put(`${folder}/sub/two.txt`, "two");
    const { undoId } = await mine.removeFiles({ id: one.id });
    const removed = await mine.removeFolder({ key: `${folder}/sub` });
    expect([typeof undoId, typeof removed.undoId]).toEqual(["string", "string"]);
    await mine.restore({ undoId });
    await mine.restore({ undoId: removed.undoId });
    expect(await contentOf(server, one.id)).toBe("one");
    expect((await a.get(`/api/files?key=${folder}/sub/two.txt`)).status).toBe(200);
  });

  test("may not delete permanently, empty the trash or delete versions", async () => {
    const folder = unique("kept");
    const file = await a.put(`${folder}/a.txt`, "one");
    await mine.replace(folder, "a.txt", "two");
    const [version] = await mine.versions(file.id);
    const undoId = await all.trash({ id: (await a.put(`${folder}/b.txt`, "b")).id });
    const requests: [string, string, object][] = [
      ["DELETE", "/api/files", { id: file.id, trash: false }],
      ["DELETE", "/api/folders", { key: folder, trash: false }],
      ["DELETE", "/api/trash", { undoId }],
      ["DELETE", "/api/trash", { all: true }],
      ["DELETE", "/api/files/versions", { ids: [version?.id] }],
      ["PUT", "/api/files", { id: file.id, expiresIn: 1 }],
      ["PUT", "/api/folders", { key: folder, expireAfter: 1 }],
    ];
    for (const [method, path, body] of requests) {
      const answer = await mine.json(method, path, body);
      expect([method, path, answer.status]).toEqual([method, path, 403]);
      expect(answer.text).toContain("`delete`");
    }
    expect(await contentOf(server, file.id)).toBe("two");
    expect(await mine.versions(file.id)).toHaveLength(1);
    expect((await all.list(`?undoId=${undoId}`)).items).toHaveLength(1);
  });

  test("keeps what it replaces as a version, over every interface", async () => {
    const folder = unique("versions");
    const file = await a.put(`${folder}/a.txt`, "0");
    const key = await createS3Key(server, { actions: ACTIONS });
    const path = `${folder}/a.txt`;
    await mine.replace(folder, "a.txt", "1");
    const put = await putContent(limited, path, "2");
    expect(put.status).toBe(200);
    expect((await sendS3(server, key, "PUT", path, { body: "3" })).status).toBe(200);
    const source = await a.put(`${folder}/source.txt`, "4");
    const copied = await sendS3(server, key, "PUT", path, {
      "x-amz-copy-source": `/${folder}/source.txt`,
    });
    expect(copied.status).toBe(200);
    const copy = { id: source.id, name: "a.txt", onConflict: "replace" };
    expect((await mine.json("POST", "/api/files/copy", copy)).status).toBe(200);
    const uploadId = await beginMultipart(key, path);
    const completed = await completeMultipart(key, path, uploadId, "5");
    expect(completed.status).toBe(200);
    expect(await contentOf(server, file.id)).toBe("5");
    const versions = await mine.versions(file.id);
    const contents = await Promise.all(
      versions.map(async ({ id }) => (await mine.content(id)).text),
    );
    expect(contents.toSorted()).toEqual(["0", "1", "2", "3", "4", "4"]);
  });

  test("moves what its moves replace to the trash", async () => {
    const folder = unique("moved");
    const one = await a.put(`${folder}/one.txt`, "one");
    const two = await a.put(`${folder}/two.txt`, "two");
    const change = { id: one.id, name: "two.txt", onConflict: "replace" };
    expect((await mine.json("PUT", "/api/files", { ...change, trash: false })).status).toBe(403);
    expect((await mine.json("PUT", "/api/files", change)).status).toBe(200);
    expect((await all.list()).items.map(({ id }) => id)).toContain(two.id);
  });

  test("deletes over S3 into the trash", async () => {
    const folder = unique("objects");
    const files = await Promise.all(
      ["a", "b", "c"].map((name) => a.put(`${folder}/${name}.txt`, name)),
    );
    const key = await createS3Key(server, { actions: ACTIONS });
    expect((await sendS3(server, key, "DELETE", `${folder}/a.txt`)).status).toBe(204);
    const body =
      "<Delete><Object><Key>b.txt</Key></Object><Object><Key>c.txt</Key></Object></Delete>";
    expect((await sendS3(server, key, "POST", `${folder}?delete`, { body })).status).toBe(200);
    const ids = files.map(({ id }) => id);
    const { restored } = await mine.restore({ ids });
    expect(restored.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test("loses no folder over S3 that has defaults, links or keys", async () => {
    const bucket = unique("markers");
    const key = await createS3Key(server, { actions: ACTIONS });
    await a.json("POST", "/api/folders", { folder: `${bucket}/private` });
    const defaults = { key: `${bucket}/private`, defaultVisibility: "private" };
    expect((await a.json("PUT", "/api/folders", defaults)).status).toBe(200);
    await a.json("POST", "/api/folders", { folder: `${bucket}/shared` });
    await a.json("POST", "/api/links", { folder: `${bucket}/shared` });
    await a.json("POST", "/api/folders", { folder: `${bucket}/keyed/deep` });
    const actions = ["list"];
    await a.json("POST", "/api/keys", {
      name: unique("k"),
      actions,
      folder: `${bucket}/keyed/deep`,
    });
    const file = await a.put(`${bucket}/private/x.txt`, "x");
    const folderId = async (path: string): Promise<unknown> =>
      JSON.parse((await a.get(`/api/folders?key=${bucket}/${path}`)).text).data?.folder?.id;
    const paths = ["private", "shared", "keyed/deep"];
    const before = await Promise.all(paths.map(folderId));
    expect(before.map((id) => typeof id)).toEqual(["string", "string", "string"]);
    for (const path of ["private/", "private/x.txt", "shared/", "keyed/deep/", "keyed/"]) {
      expect((await sendS3(server, key, "DELETE", `${bucket}/${path}`)).status).toBe(204);
    }
    expect(await Promise.all(paths.map(folderId))).toEqual([undefined, undefined, undefined]);
    const { items } = await all.list();
    await mine.restore({ ids: items.map(({ id }) => id) });
    expect(await Promise.all(paths.map(folderId))).toEqual(before);
    const kept = await a.get(`/api/folders/visibility?key=${bucket}/private`);
    expect(JSON.parse(kept.text).data.folder.defaultVisibility).toBe("private");
    expect((await a.get(`/api/files?id=${file.id}`)).text).toContain(`${bucket}/private/x.txt`);
  });

  test("ends no file earlier by replacing it, and neither does a key with `write` alone", async () => {
    const folder = unique("ends");
    const writer = await createKey(server, ["write"]);
    for (const by of [limited, writer]) {
      const file = await a.put(`${folder}/${unique("a")}.txt`, "one");
      const form = [
        field("folder", folder),
        field("onConflict", "replace"),
        field("expiresIn", "60"),
        filePart(file.name, "two"),
      ];
      const refused = await api(by).upload(form);
      expect(refused.status).toBe(403);
      expect(refused.text).toContain("`delete`");
      expect(await contentOf(server, file.id)).toBe("one");
      expect((await a.upload(form)).status).toBe(200);
    }
  });

  test("ends none earlier over any other interface either", async () => {
    const writer = await createKey(server, ["write"]);
    const reader = await createKey(server, ["list", "read", "write"]);
    for (const by of [limited, writer, reader]) {
      const folder = unique("interfaces");
      const file = await a.put(`${folder}/a.txt`, "one");
      const source = await a.put(`${folder}/source.txt`, "two");
      const query = `key=${folder}/a.txt&expiresIn=60`;
      const headers = { "API-Key": by.apiKey };
      expectFault(await send(by, "PUT", `/api/files/content?${query}`, headers, "two"), 403);
      const named = { filename: "a.txt", folder, onConflict: "replace", expiresIn: "60" };
      const whole = { "Upload-Length": "3", ...BYTES, ...metadataOf(named) };
      expectFault(await createAsTus(by, whole, "two"), 403);
      const later = { folder, name: "a.txt", onConflict: "replace", size: 3, fileExpiresIn: 60 };
      expectFault(await append(by, await createUpload(by, later), 0, "two"), 403);
      const made = await api(by).json("POST", "/api/batches", { folder, onConflict: "replace" });
      const batch = `/${JSON.parse(made.text).data.url}`;
      const { contentType, bytes } = multipart([
        field("expiresIn", "60"),
        filePart("a.txt", "two"),
      ]);
      const added = await send(
        by,
        "POST",
        `${batch}/files`,
        { "Content-Type": contentType },
        bytes,
      );
      expect(added.status).toBe(200);
      expectFault(await send(by, "POST", `${batch}/commit`), 403);
      if (by !== writer) {
        const copy = { id: source.id, name: "a.txt", onConflict: "replace", expiresIn: 60 };
        expectFault(await api(by).json("POST", "/api/files/copy", copy), 403);
      }
      expectFault(await api(by).json("PUT", "/api/files", { id: file.id, expiresIn: 60 }), 403);
      expect(await contentOf(server, file.id)).toBe("one");
      const { text } = await a.get(`/api/files/lifetime?id=${file.id}`);
      expect(JSON.parse(text).data.expiresAt).toBeNull();
    }
  });

  test("moves a file that ends over another one, which goes to the trash, or only with `discard`", async () => {
    const writer = await createKey(server, ["list", "read", "write"]);
    for (const by of [limited, writer]) {
      const folder = unique("over");
      const file = await a.put(`${folder}/a.txt`, "one");
      const form = [field("folder", folder), field("expiresIn", "60"), filePart("b.txt", "two")];
      expect((await api(by).upload(form)).status).toBe(200);
      const change = { key: `${folder}/b.txt`, name: "a.txt", onConflict: "replace" };
      const { status } = await api(by).json("PUT", "/api/files", change);
      const isTrashed = (await all.list()).items.some(({ id }) => id === file.id);
      expect([status, isTrashed]).toEqual(by === limited ? [200, true] : [403, false]);
    }
  });

  test("replaces files of folders whose files end, and leaves them their end", async () => {
    const folder = unique("lifetimes");
    const file = await a.put(`${folder}/a.txt`, "one");
    await a.json("PUT", "/api/folders", { key: folder, expireAfter: 60 });
    expect((await mine.replace(folder, "a.txt", "two")).status).toBe(200);
    const { text } = await a.get(`/api/files/lifetime?id=${file.id}`);
    expect(JSON.parse(text).data.expiresAt).toBeNull();
  });

  test("changes and aborts only its own multipart uploads", async () => {
    const bucket = unique("uploads");
    await a.json("POST", "/api/folders", { folder: bucket });
    const key = await createS3Key(server, { actions: ACTIONS });
    const [own, other] = [
      await beginMultipart(key, `${bucket}/own`),
      await beginMultipart(server.credentials, `${bucket}/other`),
    ];
    const abort = (name: string, id: string) =>
      sendS3(server, key, "DELETE", `${bucket}/${name}?uploadId=${id}`);
    expect((await abort("own", own)).status).toBe(204);
    expect((await abort("other", other)).status).toBe(403);
    // Both would end it.
    const renaming = { key: bucket, name: unique("renamed") };
    expectFault(await mine.json("PUT", "/api/folders", renaming), 403);
    expectFault(await mine.json("DELETE", "/api/folders", { key: bucket }), 403);
    const part = `${bucket}/other?partNumber=1&uploadId=${other}`;
    expect((await sendS3(server, key, "PUT", part, { body: "x" })).status).toBe(403);
    const done = await completeMultipart(server.credentials, `${bucket}/other`, other, "y");
    expect(done.status).toBe(200);
  });

  test("removes no bucket, and sets no rules that delete", async () => {
    const bucket = unique("bucket");
    await a.json("POST", "/api/folders", { folder: bucket });
    const key = await createS3Key(server, { actions: ACTIONS });
    expect((await sendS3(server, key, "DELETE", bucket)).status).toBe(403);
  });

  test("creates keys with `write` only together with `discard`", async () => {
    const parent = api(await createKey(server, [...ACTIONS, "keys"]));
    const create = (actions?: readonly string[]) =>
      parent.json("POST", "/api/keys", { name: unique("child"), actions });
    expect((await create(["write"])).status).toBe(403);
    expect((await create(["write", "delete"])).status).toBe(403);
    expect((await create(["write", "discard"])).status).toBe(200);
    const usual = expectData(await create(), newKeyData).key.actions;
    expect(usual).toEqual(["list", "read", "write", "discard"]);
  });
});

async function beginMultipart(by: S3Credentials, path: string): Promise<string> {
  const { text } = await sendS3(server, by, "POST", `${path}?uploads`);
  return /<UploadId>([^<]+)/.exec(text)?.[1] ?? "";
}

async function completeMultipart(by: S3Credentials, path: string, id: string, content: string) {
  await sendS3(server, by, "PUT", `${path}?partNumber=1&uploadId=${id}`, { body: content });
  const listed = await sendS3(server, by, "GET", `${path}?uploadId=${id}`);
  const etag = /<ETag>([^<]+)/.exec(listed.text)?.[1] ?? "";
  const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`;
  return sendS3(server, by, "POST", `${path}?uploadId=${id}`, { body });
}

describe("without a trash", () => {
  const owner = api(withoutTrash);

  test("a key with `discard` alone deletes and replaces nothing", async () => {
    const key = await createKey(withoutTrash, ACTIONS);
    const t = trashApi(withoutTrash, key.apiKey);
    const s3 = await createS3Key(withoutTrash, { actions: ACTIONS });
    const folder = unique("lasting");
    const file = await owner.put(`${folder}/a.txt`, "one");
    const other = await owner.put(`${folder}/other.txt`, "two");
    const path = `${folder}/a.txt`;
    const answers = [
      await t.json("DELETE", "/api/files", { id: file.id }),
      await t.json("DELETE", "/api/files", { id: file.id, trash: true }),
      await t.json("DELETE", "/api/folders", { key: folder }),
      await t.replace(folder, "a.txt", "two"),
      await putContent(key, path, "two"),
      await t.json("PUT", "/api/files", { id: other.id, name: "a.txt", onConflict: "replace" }),
      await t.json("POST", "/api/files/copy", {
        id: other.id,
        name: "a.txt",
        onConflict: "replace",
      }),
    ];
    for (const answer of answers) expectFault(answer, 403);
    const overS3 = [
      await sendS3(withoutTrash, s3, "DELETE", path),
      await sendS3(withoutTrash, s3, "PUT", path, { body: "two" }),
      await sendS3(withoutTrash, s3, "PUT", path, { "x-amz-copy-source": `/${folder}/other.txt` }),
    ];
    expect(overS3.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await contentOf(withoutTrash, file.id)).toBe("one");
    expect(await contentOf(withoutTrash, other.id)).toBe("two");
    // What destroys nothing works.
    expect((await putContent(key, `${folder}/new`, "3")).status).toBe(201);
  });

  test("keys with `write` or `delete` work as before", async () => {
    const folder = unique("before");
    const file = await owner.put(`${folder}/a.txt`, "one");
    const writer = trashApi(withoutTrash, (await createKey(withoutTrash, ["write"])).apiKey);
    expect((await writer.replace(folder, "a.txt", "two")).status).toBe(200);
    const deleter = trashApi(withoutTrash, (await createKey(withoutTrash, ["delete"])).apiKey);
    expect((await deleter.removeFiles({ id: file.id })).deleted).toEqual([file.id]);
  });
});
