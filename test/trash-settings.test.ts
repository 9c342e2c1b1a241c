import { afterAll, describe, expect, test } from "bun:test";
import { AwsV4Signer } from "aws4fetch";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { filePart } from "./multipart.ts";
import { startS3Server } from "./s3-api/s3-server.fixture.ts";
import { newKeyData } from "./shapes.ts";
import { isOnS3 } from "./test-stores.ts";
import { hosted, trashApi } from "./trash-requests.ts";

const server = await startS3Server({ TRASH_DELETIONS: "true" });
afterAll(() => server.discard());
const a = api(server);
const t = trashApi(server);

async function s3(method: string, path: string, body?: string) {
  const url = `${server.url}/${path}`;
  const signer = new AwsV4Signer({
    method,
    url,
    service: "s3",
    region: "us-east-1",
    ...server.credentials,
    ...(body === undefined ? {} : { body }),
  });
  const { headers } = await signer.sign();
  return send(server, method, `/${path}`, Object.fromEntries(headers), body);
}

describe("with `trashDeletions`", () => {
  test("deletions move to the trash unless they say otherwise", async () => {
    const folder = unique("rule");
    const file = await a.put(`${folder}/a.txt`);
    const { undoId } = await t.removeFiles({ id: file.id });
    expect((await t.restore({ undoId })).restored).toMatchObject([{ key: file.key }]);
    const { undoId: ofFolder } = await t.removeFolder({ id: file.folderId });
    await t.restore({ undoId: ofFolder });
    expect(await t.removeFiles({ id: file.id, trash: false })).toEqual({
      deleted: [file.id],
      failed: [],
    });
    const gone = await t.removeFolder({ id: file.folderId, trash: false });
    expect(gone).toEqual({ deleted: [file.folderId] });
    expect((await t.list()).items).toEqual([]);
  });

  test("S3 clients delete into the trash, where an implicit folder goes too", async () => {
    const bucket = unique("bucket");
    await a.folder(bucket);
    for (const name of ["deep/a.txt", "b.txt", "c.txt"]) {
      expect((await s3("PUT", `${bucket}/${name}`, name)).status).toBe(200);
    }
    expect((await s3("DELETE", `${bucket}/deep/a.txt`)).status).toBe(204);
    expect((await a.browse(bucket)).folders).toEqual([]);
    const keys = ["b.txt", "c.txt", "none"].map((key) => `<Object><Key>${key}</Key></Object>`);
    const many = await s3("POST", `${bucket}?delete`, `<Delete>${keys.join("")}</Delete>`);
    expect(many.status).toBe(200);
    expect((await s3("GET", `${bucket}/b.txt`)).status).toBe(404);
    const { items } = await t.list();
    expect(items.map(({ key }) => key).toSorted()).toEqual([
      `${bucket}/b.txt`,
      `${bucket}/c.txt`,
      `${bucket}/deep/a.txt`,
    ]);
    const undoIds = new Set(items.map(({ undoId }) => undoId));
    expect(undoIds.size).toBe(2);
    for (const undoId of undoIds) await t.restore({ undoId });
    expect((await s3("GET", `${bucket}/deep/a.txt`)).text).toBe("deep/a.txt");
    expect((await s3("GET", `${bucket}/c.txt`)).text).toBe("c.txt");
  });
});

describe("with `trashDays` 0", () => {
  test("the trash is refused, deletions are permanent, and what is in the trash stays", async () => {
    const [kept, other] = [await a.put(unique("kept")), await a.put(unique("other"))];
    await t.removeFiles({ id: kept.id });
    await a.json("PUT", "/api/settings", { trashDays: 0 });
    const wanted = { id: other.id, trash: true };
    expectFault(await t.json("DELETE", "/api/files", wanted), 400, /trash.*disabled.*trashDays/);
    const folder = await a.folder(unique("folder"));
    const asked = { id: folder.id, trash: true };
    expectFault(await t.json("DELETE", "/api/folders", asked), 400, /trash.*disabled/);
    expect((await hosted(server, other.url)).status).toBe(200);
    expect(await t.removeFiles({ id: other.id })).toEqual({ deleted: [other.id], failed: [] });
    expect((await t.list()).items).toMatchObject([{ id: kept.id }]);
    await t.restore({ ids: [kept.id] });
    await a.json("PUT", "/api/settings", { trashDays: null });
  });
});

describe.skipIf(isOnS3)("a refusal for lack of space", () => {
  const FIGURE = /The trash and earlier versions hold \d+ bytes/;

  test("says how much the trash holds, but only to callers without limits", async () => {
    const bucket = unique("full");
    await t.removeFiles({ id: (await a.put(`${bucket}/a.txt`, "12345")).id, trash: true });
    const keys = [{ folder: bucket }, { actions: ["write", "list", "delete"] }];
    const limited = await Promise.all(
      keys.map(async (limits) => {
        const made = await a.json("POST", "/api/keys", { name: "limited", ...limits });
        return api({ url: server.url, apiKey: expectData(made, newKeyData).secret });
      }),
    );
    await a.json("PUT", "/api/settings", { minFreeSpace: Number.MAX_SAFE_INTEGER });
    try {
      expectFault(await a.upload([filePart(unique("x"), "x")]), 507, FIGURE);
      expect((await s3("PUT", `${bucket}/x`, "x")).text).toMatch(FIGURE);
      for (const caller of limited) {
        const refused = await caller.upload([filePart(unique("x"), "x")]);
        expectFault(refused, 507, /^Not enough free space on the volume for this upload\.$/);
      }
    } finally {
      await a.json("PUT", "/api/settings", { minFreeSpace: null });
    }
  });
});
