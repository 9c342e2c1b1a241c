import { afterAll, describe, expect, test } from "bun:test";
import { AwsV4Signer } from "aws4fetch";
import type { OverviewObject } from "../contract/api.ts";
import { api, send, unique } from "./client.ts";
import { eventually, expectFault, expectSecurityHeaders } from "./expectations.ts";
import { field, filePart, multipart } from "./multipart.ts";
import { startS3Server } from "./s3-api/s3-server.fixture.ts";
import { blobsOf } from "./snapshot.ts";
import { isOnS3 } from "./test-stores.ts";
import { hosted, trashApi } from "./trash-requests.ts";
import { append, createUpload, sha256 } from "./upload-url.ts";

const server = await startS3Server({ KEEP_VERSIONS: "true" });
afterAll(() => server.discard());
const a = api(server);
const t = trashApi(server);

/** A file whose content was "one", then "two!". */
async function replaced() {
  const folder = unique("versions");
  const file = await a.put(`${folder}/a.txt`, "one", { visibility: "private" });
  await t.replace(folder, "a.txt", "two!");
  return { folder, file };
}

/** The totals of the last week, and a file's totals if it is one of the most requested. */
async function readTraffic(fileId: string) {
  const { text } = await a.get("/api/overview?period=week");
  const { traffic, mostRequested }: OverviewObject = JSON.parse(text).data;
  const found = mostRequested.files.find(({ file }) => file.id === fileId);
  return {
    requests: traffic.reduce((sum, hour) => sum + hour.requests, 0),
    bytes: traffic.reduce((sum, hour) => sum + hour.bytes, 0),
    forFile: found && [found.requests, found.bytes],
  };
}

describe("replaced content", () => {
  test("is listed, downloaded in ranges, restored and deleted", async () => {
    const { file } = await replaced();
    const [version, ...more] = await t.versions(file.id);
    expect(more).toEqual([]);
    expect(version).toMatchObject({
      size: 3,
      mimeType: "text/plain",
      sha256: sha256("one"),
      replacedBy: expect.any(String),
    });
    const id = version?.id ?? "";
    const whole = await t.content(id);
    expect([whole.status, whole.text]).toEqual([200, "one"]);
    expect(whole.header("content-disposition")).toMatch(/^inline; filename="a\.txt"/);
    expect(whole.header("content-type")).toStartWith("text/plain");
    expect(whole.header("cache-control")).toBe("private, no-store");
    expectSecurityHeaders(whole);
    const part = await t.content(id, "&download=1", { Range: "bytes=1-" });
    expect([part.status, part.text]).toEqual([206, "ne"]);
    expect(part.header("content-disposition")).toStartWith("attachment");

    const restored = await t.restoreVersion(id);
    expect(restored).toMatchObject({ ...file, updatedAt: expect.any(String) });
    expect((await a.get(`/api/files/download/${file.id}`)).text).toBe("one");
    const [now, ...others] = await t.versions(file.id);
    expect(others).toEqual([]);
    expect(now).toMatchObject({ size: 4, sha256: sha256("two!") });
    expectFault(await t.content(id), 404);

    expect(await t.removeVersions({ ids: [now?.id, "none"] })).toEqual([now?.id ?? ""]);
    expect(await t.versions(file.id)).toEqual([]);
    expectFault(await t.json("DELETE", "/api/files/versions", { id: now?.id }), 404, /Version/);
    expect((await a.get(`/api/files/download/${file.id}`)).text).toBe("one");
  });

  test("is listed in pages, with a cursor that is of this file only", async () => {
    const folder = unique("pages");
    const file = await a.put(`${folder}/a.txt`, "0");
    for (const content of ["11", "222", "3333"]) await t.replace(folder, "a.txt", content);
    const sizes: number[] = [];
    let cursor: string | null = "";
    let first: string | null = null;
    while (cursor !== null) {
      const page = await t.versionPage(`id=${file.id}&limit=2&cursor=${cursor}`);
      expect(page.versions.length).toBeLessThanOrEqual(2);
      sizes.push(...page.versions.map(({ size }) => size));
      cursor = page.nextCursor;
      first ??= cursor;
    }
    expect(sizes).toEqual([3, 2, 1]);
    const other = (await replaced()).file.id;
    for (const query of [`id=${other}&cursor=${first}`, `id=${file.id}&cursor=x`]) {
      expectFault(await a.get(`/api/files/versions?${query}`), 400, /cursor/);
    }
    for (const limit of ["0", "1001", "x"]) {
      const path = `/api/files/versions?id=${file.id}&limit=${limit}`;
      expectFault(await a.get(path), 400, /limit/);
    }
  });

  test("gets another ETag with each restore", async () => {
    const folder = unique("etag");
    const file = await a.put(`${folder}/a.txt`, "one");
    const tags = [(await hosted(server, file.url)).header("etag")];
    await t.replace(folder, "a.txt", "two");
    tags.push((await hosted(server, file.url)).header("etag"));
    const [version] = await t.versions(file.id);
    await t.restoreVersion(version?.id ?? "");
    tags.push((await hosted(server, file.url)).header("etag"));
    expect(new Set(tags).size).toBe(3);
  });

  test("is kept latest first, also by resumable uploads, batches and S3 clients", async () => {
    const bucket = unique("ways");
    const file = await a.put(`${bucket}/a.txt`, "form");
    const body = { folder: bucket, name: "a.txt", size: 7, onConflict: "replace" };
    const path = await createUpload(server, body);
    await append(server, path, 0, Buffer.from("resumed"));

    const batch = await a.json("POST", "/api/batches", { folder: bucket, onConflict: "replace" });
    const batchPath = `/${JSON.parse(batch.text).data.url}`;
    const { contentType, bytes } = multipart([filePart("a.txt", "batched")]);
    await send(server, "POST", `${batchPath}/files`, { "Content-Type": contentType }, bytes);
    await send(server, "POST", `${batchPath}/commit`);

    const signer = new AwsV4Signer({
      method: "PUT",
      url: `${server.url}/${bucket}/a.txt`,
      body: "object",
      service: "s3",
      region: "us-east-1",
      ...server.credentials,
    });
    const headers = Object.fromEntries((await signer.sign()).headers);
    await send(server, "PUT", `/${bucket}/a.txt`, headers, "object");

    expect((await a.get(`/api/files/download/${file.id}`)).text).toBe("object");
    const versions = await t.versions(file.id);
    const texts = await Promise.all(versions.map(async ({ id }) => (await t.content(id)).text));
    expect(texts).toEqual(["batched", "resumed", "form"]);
  });

  test("goes to the trash with its file, and back", async () => {
    const { file } = await replaced();
    const [version] = await t.versions(file.id);
    const undoId = await t.trash({ id: file.id });
    expectFault(await a.get(`/api/files/versions?id=${file.id}`), 404);
    expectFault(await t.content(version?.id ?? ""), 404);
    await t.restore({ undoId });
    expect((await t.content(version?.id ?? "")).text).toBe("one");
  });

  test("counts as traffic when downloaded, but takes no place among the most requested files", async () => {
    const folder = unique("requested");
    const file = await a.put(`${folder}/a.txt`, "one", { visibility: "private" });
    // More than the files that are counted on a day, each with more requests than the file.
    for (let content = 0; content <= 250; content += 1) await t.replace(folder, "a.txt", "1234");
    const { versions } = await t.versionPage(`id=${file.id}&limit=1000`);
    expect(versions).toHaveLength(251);
    const before = await readTraffic(file.id);
    await a.get(`/api/files/download/${file.id}`);
    for (const { id } of versions) await Promise.all([t.content(id), t.content(id)]);
    const after = await readTraffic(file.id);
    expect([before.forFile, after.forFile]).toEqual([undefined, [1, 4]]);
    expect(after.requests - before.requests).toBe(1 + 2 * 251);
    expect(after.bytes - before.bytes).toBe(4 + 2 * (3 + 250 * 4));
  });

  test.skipIf(isOnS3)("is deleted permanently with its file", async () => {
    const folder = unique("gone");
    const file = await a.put(`${folder}/a.bin`, Buffer.alloc(1_111_777));
    await a.upload([
      ...[field("folder", folder), field("onConflict", "replace")],
      filePart("a.bin", Buffer.alloc(1_111_778)),
    ]);
    const sizes = () => blobsOf(server.dataPath).map((blob) => Number(blob.split(" ").at(-1)));
    expect(sizes()).toEqual(expect.arrayContaining([1_111_777, 1_111_778]));
    const overview = JSON.parse((await a.get("/api/overview")).text).data;
    expect(overview.storage.versions).toBeGreaterThanOrEqual(1_111_777);
    await t.removeFiles({ id: file.id });
    await eventually("the bytes go", () => !sizes().some((size) => size > 1_111_776));
  });

  test("is not kept when the setting is off, or the trash is disabled", async () => {
    await a.json("PUT", "/api/settings", { trashDays: 0 });
    expect(await t.versions((await replaced()).file.id)).toEqual([]);
    await a.json("PUT", "/api/settings", { trashDays: null });
    await server.restart({ KEEP_VERSIONS: undefined });
    expect(await t.versions((await replaced()).file.id)).toEqual([]);
    await server.restart({ KEEP_VERSIONS: "true" });
  });
});

describe("bad requests are refused", () => {
  test.each([
    ["GET", "/api/files/versions", undefined, 400],
    ["GET", "/api/files/versions?id=x&key=y", undefined, 400],
    ["GET", "/api/files/versions?id=none", undefined, 404],
    ["GET", "/api/files/versions/content", undefined, 400],
    ["GET", "/api/files/versions/content?id=none", undefined, 404],
    ["POST", "/api/files/versions/restore", {}, 400],
    ["POST", "/api/files/versions/restore", { id: "none" }, 404],
    ["DELETE", "/api/files/versions", {}, 400],
    ["DELETE", "/api/files/versions", { id: "x", ids: ["y"] }, 400],
    ["DELETE", "/api/files/versions", { ids: [] }, 400],
    ["DELETE", "/api/files/versions", { ids: ["none"] }, 404],
  ])("%s %s %j: %p", async (method, path, body, status) => {
    expectFault(await t.json(method, path, body), status);
  });
});
