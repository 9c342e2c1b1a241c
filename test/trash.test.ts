import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { newKeyData, signedData } from "./shapes.ts";
import { blobsOf } from "./snapshot.ts";
import { isOnS3 } from "./test-stores.ts";
import { hosted, trashApi } from "./trash-requests.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);
const t = trashApi(server);

describe("DELETE without `trash`", () => {
  test("deletes files and folders permanently, and responds as before", async () => {
    const folder = unique("plain");
    const file = await a.put(`${folder}/a.txt`);
    const gone = await t.json("DELETE", "/api/files", { id: file.id });
    expect(JSON.parse(gone.text).data).toEqual({ deleted: [file.id], failed: [] });
    const { id } = await a.folder(`${folder}/sub`);
    const removed = await t.json("DELETE", "/api/folders", { id });
    expect(JSON.parse(removed.text).data).toEqual({ deleted: [id] });
    const restoring = await t.json("POST", "/api/trash/restore", { ids: [file.id, id] });
    expectFault(restoring, 404, /trash/);
  });
});

describe("a file in the trash", () => {
  test("is nowhere else, and comes back with its id, URLs, ETag and visibility", async () => {
    const folder = unique("file");
    const file = await a.put(`${folder}/a.txt`, "content");
    const secret = await a.put(`${folder}/b.txt`, "secret", { visibility: "private" });
    const signing = await a.json("POST", "/api/files/sign", { id: secret.id });
    const { url: signed } = expectData(signing, signedData);
    const before = await hosted(server, file.url);

    const undoId = await t.trash({ ids: [file.id, secret.id] });
    for (const url of [file.url, secret.url, signed]) {
      expect((await hosted(server, url)).status).toBe(404);
    }
    expectFault(await a.get(`/api/files?id=${file.id}`), 404);
    expectFault(await a.get(`/api/files/download/${secret.id}`), 404);
    expectFault(await t.json("PUT", "/api/files", { id: file.id, name: "other" }), 404);
    expectFault(await t.json("DELETE", "/api/files", { id: file.id }), 404);
    expect((await a.browse(folder)).files).toEqual([]);

    const { restored, failed } = await t.restore({ undoId });
    expect(failed).toEqual([]);
    expect(restored.toSorted((one, two) => (one.key < two.key ? -1 : 1))).toEqual([
      { id: file.id, kind: "file", key: file.key, renamed: false },
      { id: secret.id, kind: "file", key: secret.key, renamed: false },
    ]);
    expect(await a.file(file.id)).toMatchObject({ ...file, updatedAt: expect.any(String) });
    const after = await hosted(server, file.url);
    expect(after.text).toBe("content");
    expect(after.header("etag")).toBe(before.header("etag") ?? "");
    expect((await hosted(server, secret.url)).status).toBe(404);
    expect((await hosted(server, signed)).text).toBe("secret");
    expectFault(await t.json("POST", "/api/trash/restore", { undoId }), 404);
  });

  test("frees its name; a restore keeps both", async () => {
    const folder = unique("taken");
    const first = await a.put(`${folder}/a.txt`, "first");
    await t.trash({ id: first.id });
    const second = await a.put(`${folder}/a.txt`, "second");
    await t.trash({ id: second.id });
    const third = await a.put(`${folder}/a.txt`, "third");
    expect((await t.restore({ ids: [first.id] })).restored).toMatchObject([
      { key: `${folder}/a (2).txt`, renamed: true },
    ]);
    expect((await t.restore({ ids: [second.id] })).restored).toMatchObject([
      { key: `${folder}/a (3).txt`, renamed: true },
    ]);
    expect((await hosted(server, third.url)).text).toBe("third");
    expect((await hosted(server, (await a.file(first.id)).url)).text).toBe("first");
  });

  test("goes to its folder wherever that is now, or to one that is made again", async () => {
    const folder = unique("moved");
    const file = await a.put(`${folder}/deep/er/a.txt`);
    await t.trash({ id: file.id });
    const { folder: deep } = await a.browse(`${folder}/deep`);
    const { folder: deeper } = await a.browse(`${folder}/deep/er`);
    await t.json("PUT", "/api/folders", { id: deep.id, name: "renamed" });
    await t.removeFolder({ id: deeper.id });
    const { restored } = await t.restore({ ids: [file.id] });
    expect(restored[0]?.key).toBe(`${folder}/renamed/er/a.txt`);
    await t.trash({ id: file.id });
    await t.removeFolder({ id: (await a.browse(folder)).folder.id });
    expect((await t.restore({ ids: [file.id] })).restored[0]?.key).toBe(
      `${folder}/renamed/er/a.txt`,
    );
  });

  test("of a batch without an unknown id, which fails", async () => {
    const file = await a.put(`${unique("batch")}/a.txt`);
    const removal = await t.removeFiles({ ids: [file.id, "none", file.id], trash: true });
    expect(removal.deleted).toEqual([file.id]);
    expect(removal.failed).toMatchObject([{ id: "none" }]);
    const { restored, failed } = await t.restore({ ids: ["none", file.id] });
    expect(restored).toHaveLength(1);
    expect(failed).toMatchObject([{ id: "none" }]);
    expectFault(await t.json("DELETE", "/api/files", { ids: ["none"], trash: true }), 404);
  });
});

describe("a folder in the trash", () => {
  test("takes its content along, and back", async () => {
    const key = unique("folder");
    const file = await a.put(`${key}/sub/a.txt`, "12345");
    const { folder } = await a.browse(key);
    const undoId = await t.trash({ id: folder.id }, "/api/folders");
    expect((await hosted(server, file.url)).status).toBe(404);
    expectFault(await a.get(`/api/folders?id=${folder.id}`), 404);
    await eventually("its content is counted", async () => {
      const [item] = (await t.list(`?undoId=${undoId}`)).items;
      return item?.files === 1 && item.size === 5;
    });
    const again = await a.put(`${key}/sub/a.txt`, "other");
    expect((await t.restore({ undoId })).restored).toEqual([
      { id: folder.id, kind: "folder", key: `${key} (2)`, renamed: true },
    ]);
    expect((await a.file(file.id)).key).toBe(`${key} (2)/sub/a.txt`);
    expect((await hosted(server, again.url)).text).toBe("other");
  });

  test("the root cannot be moved there", async () => {
    const { folder } = await a.browse("");
    expectFault(
      await t.json("DELETE", "/api/folders", { id: folder.id, trash: true }),
      400,
      /root/,
    );
  });

  test("a key that is limited to it finds nothing, and works again after the restore", async () => {
    const file = await a.put(`${unique("limited")}/a.txt`);
    const made = await a.json("POST", "/api/keys", { name: "limited", folderId: file.folderId });
    const limited = trashApi(server, expectData(made, newKeyData).secret);
    const path = `/api/files?id=${file.id}`;
    expect((await limited.json("GET", path, undefined)).status).toBe(200);
    const undoId = await t.trash({ id: file.folderId }, "/api/folders");
    expectFault(await limited.json("GET", path, undefined), 404);
    expect((await limited.list()).items).toEqual([]);
    await t.restore({ undoId });
    expect((await limited.json("GET", path, undefined)).status).toBe(200);
  });
});

describe("the list", () => {
  test("has the latest deletion first, page by page, and with all fields", async () => {
    await t.purge({ all: true });
    const folder = unique("list");
    const files = await Promise.all([1, 2, 3, 4, 5].map((at) => a.put(`${folder}/${at}.txt`)));
    const undoIds: string[] = [];
    for (const { id } of files) undoIds.push(await t.trash({ id }));
    const all = await t.list();
    expect(all.items.map(({ undoId }) => undoId)).toEqual(undoIds.toReversed());
    expect(all.nextCursor).toBeNull();
    expect(all.totals).toEqual({
      items: 5,
      files: 5,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    });
    const [last] = all.items;
    const file = files[4];
    expect(last).toMatchObject({
      id: file?.id,
      kind: "file",
      name: "5.txt",
      key: file?.key,
      size: file?.size,
      files: null,
      visibility: "public",
      mimeType: "text/plain",
      undoId: undoIds[4],
      deletedBy: expect.any(String),
    });
    const kept = Date.parse(`${last?.expiresAt}Z`) - Date.parse(`${last?.deletedAt}Z`);
    expect(kept).toBe(30 * 86_400_000);

    const paged: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await t.list(`?limit=2&cursor=${cursor}`);
      expect(page.items.length).toBeLessThanOrEqual(2);
      paged.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all.items.map(({ id }) => id));
    expect((await t.list(`?undoId=${undoIds[1]}`)).items).toMatchObject([{ id: files[1]?.id }]);
    expect((await t.list("?undoId=unknown")).items).toEqual([]);
  });

  test("shows a limited key what was in its folder, and no names of others", async () => {
    const folder = unique("scoped");
    const inside = await a.put(`${folder}/in/a.txt`);
    const outside = await a.put(`${folder}/out/a.txt`);
    await t.trash({ ids: [inside.id, outside.id] });
    const body = { name: "scoped", folder: `${folder}/in`, actions: ["list", "delete", "write"] };
    const { secret } = expectData(await a.json("POST", "/api/keys", body), newKeyData);
    const scoped = trashApi(server, secret);
    expect((await scoped.list()).items).toMatchObject([{ id: inside.id, deletedBy: null }]);
    expect((await scoped.list()).totals).toMatchObject({ items: 1, files: 1 });
    const ids = [outside.id];
    expectFault(await scoped.json("POST", "/api/trash/restore", { ids }), 404);
    expectFault(await scoped.json("DELETE", "/api/trash", { ids }), 404);
    expect((await scoped.restore({ ids: [inside.id, outside.id] })).restored).toHaveLength(1);
    await scoped.trash({ id: inside.id });
    expect((await scoped.list()).items).toMatchObject([{ deletedBy: "scoped" }]);
    expect(await scoped.purge({ all: true })).toEqual([inside.id]);
    expect((await t.restore({ ids })).restored).toHaveLength(1);
  });
});

describe("the list of a limited key", () => {
  test("names no folder outside its own, also for what was deleted elsewhere", async () => {
    const secret = unique("topsecret");
    const file = await a.put(`${secret}/m/x.txt`);
    const [mine, m] = [await a.folder(unique("mine")), (await a.browse(`${secret}/m`)).folder];
    const body = { name: "scoped", folderId: mine.id, actions: ["list", "delete", "write"] };
    const made = expectData(await a.json("POST", "/api/keys", body), newKeyData);
    const scoped = trashApi(server, made.secret);
    await t.trash({ id: file.id });
    expect((await scoped.list()).items).toEqual([]);
    await t.json("PUT", "/api/folders", { id: m.id, parentId: mine.id });
    const key = `${mine.key}/m/x.txt`;
    expect((await scoped.list()).items).toMatchObject([{ id: file.id, name: "x.txt", key }]);
    const answer = await scoped.json("GET", "/api/trash", undefined);
    expect(answer.text).not.toContain(secret);
    expect((await scoped.restore({ ids: [file.id] })).restored).toMatchObject([{ key }]);
  });
});

describe("deleting permanently", () => {
  test.skipIf(isOnS3)("removes the bytes, and only what is selected", async () => {
    await t.purge({ all: true });
    const folder = unique("purge");
    const [one, two, three] = await Promise.all(
      [1_234_501, 1_234_502, 1_234_503].map((size) =>
        a.put(`${folder}/${size}.bin`, Buffer.alloc(size)),
      ),
    );
    const first = await t.trash({ id: one?.id });
    await t.trash({ id: two?.id });
    await t.trash({ id: three?.folderId }, "/api/folders");
    const sizes = () => blobsOf(server.dataPath).map((blob) => Number(blob.split(" ").at(-1)));
    expect(sizes()).toContain(1_234_501);
    expect(await t.purge({ undoId: first })).toEqual([one?.id ?? ""]);
    await eventually("the bytes go", () => !sizes().includes(1_234_501));
    expect(sizes()).toContain(1_234_502);
    expectFault(await t.json("POST", "/api/trash/restore", { undoId: first }), 404);
    expectFault(await t.json("DELETE", "/api/trash", { undoId: first }), 404);
    const rest = [two?.id ?? "", three?.folderId ?? ""];
    expect((await t.purge({ all: true })).toSorted()).toEqual(rest.toSorted());
    await eventually("all bytes go", () => !sizes().some((size) => size > 1_234_500));
    expect(await t.list()).toMatchObject({ items: [], totals: { items: 0, files: 0, bytes: 0 } });
    expect(await t.purge({ all: true })).toEqual([]);
  });
});

test("the trash survives a restart, and the overview counts it apart", async () => {
  await t.purge({ all: true });
  const file = await a.put(`${unique("restart")}/a.txt`, "x".repeat(777));
  const undoId = await t.trash({ id: file.id });
  const overview = JSON.parse((await a.get("/api/overview")).text).data;
  expect(overview.storage).toMatchObject({ trash: 777, versions: 0 });
  await server.restart();
  expect((await t.list()).items).toMatchObject([{ id: file.id, undoId }]);
  await t.restore({ undoId });
  expect((await hosted(server, file.url)).text).toHaveLength(777);
});

describe("bad requests are refused with 400", () => {
  test.each([
    ["DELETE", "/api/files", { id: "x", trash: "yes" }, /trash.*true or false/],
    ["DELETE", "/api/folders", { id: "x", trash: 1 }, /trash.*true or false/],
    ["POST", "/api/trash/restore", {}, /`undoId`, `ids`/],
    ["POST", "/api/trash/restore", { undoId: "x", ids: ["y"] }, /exactly one/],
    ["POST", "/api/trash/restore", { ids: [] }, /1 to 500/],
    ["POST", "/api/trash/restore", { ids: "x" }, /list of ids/],
    ["DELETE", "/api/trash", {}, /`undoId`, `ids`, `all`/],
    ["DELETE", "/api/trash", { all: false }, /all.*true or omitted/],
    ["DELETE", "/api/trash", { all: true, undoId: "x" }, /exactly one/],
  ])("%s %s %j", async (method, path, body, message) => {
    expectFault(await t.json(method, path, body), 400, message);
  });

  test.each(["limit=0", "limit=1001", "limit=x", "cursor=x"])(
    "GET /api/trash?%s",
    async (query) => {
      expectFault(await a.get(`/api/trash?${query}`), 400);
    },
  );

  test("GET with the cursor of another list", async () => {
    const ids = [await a.put(unique("one")), await a.put(unique("two"))].map(({ id }) => id);
    await t.trash({ ids });
    const { nextCursor } = await t.list("?limit=1");
    expectFault(await a.get(`/api/trash?undoId=x&cursor=${nextCursor}`), 400, /cursor/);
  });
});

test("the audit log says what went to the trash, came back, or is gone permanently", async () => {
  const file = await a.put(`${unique("audit")}/a.txt`);
  await t.trash({ id: file.id });
  await t.restore({ ids: [file.id] });
  await t.trash({ id: file.id });
  await t.purge({ ids: [file.id] });
  const shape = z.object({
    activity: z.array(
      z.object({
        action: z.string(),
        subject: z.object({ key: z.string().nullable() }).nullable(),
        detail: z.record(z.string(), z.unknown()),
      }),
    ),
  });
  const read = async () =>
    expectData(await a.get("/api/activity?limit=4"), shape).activity.toReversed();
  await eventually("all four are recorded", async () => {
    const actions = (await read()).map(({ action }) => action);
    return actions.join() === "deleteFiles,restoreTrash,deleteFiles,emptyTrash";
  });
  expect(await read()).toMatchObject([
    { action: "deleteFiles", subject: { key: file.key }, detail: { files: 1, trash: true } },
    { action: "restoreTrash", subject: { key: file.key }, detail: { items: 1 } },
    { action: "deleteFiles", detail: { trash: true } },
    { action: "emptyTrash", detail: { items: 1 } },
  ]);
});
