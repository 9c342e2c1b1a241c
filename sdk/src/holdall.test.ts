import { expect, test } from "bun:test";
import { eventually } from "../../test/expectations.ts";
import { startClient, status, text } from "./client.fixture.ts";
import { type CopiedFolder, type CopyFolderOptions, Holdall } from "./holdall.ts";

const { server, holdall } = await startClient();

test("health, readiness and the API description are available", async () => {
  expect(await holdall.health()).toContain("Holdall");
  expect(await holdall.ready()).toBeUndefined();
  expect(await holdall.openapi()).toHaveProperty("openapi");
});

test("a wrong key is rejected with 401", async () => {
  const stranger = new Holdall({ url: server.url, apiKey: "hd_unknown" });
  expect(await status(stranger.files.list())).toBe(401);
});

test("folders are browsed, changed and deleted", async () => {
  const folder = await holdall.folders.create("tree/inner");
  expect(folder).toMatchObject({ key: "tree/inner", name: "inner" });
  expect(await status(holdall.folders.create("tree/inner"))).toBe(409);
  const file = await holdall.files.upload(text("x"), { name: "leaf", folder: "tree/inner" });

  const root = await holdall.folders.root();
  expect(root.folder).toMatchObject({ key: "", parentId: null });
  expect(root.folders.map(({ name }) => name)).toContain("tree");
  expect((await holdall.folders.browse({ id: folder.id })).files).toEqual([file]);

  expect(await holdall.folders.rename(folder.id, "new")).toMatchObject({ key: "tree/new" });
  await holdall.folders.setVisibility(folder.id, "private");
  expect(await holdall.files.get(file.id)).toMatchObject({
    key: "tree/new/leaf",
    visibility: "private",
  });
  const other = await holdall.folders.create("other");
  expect(await holdall.folders.move(folder.id, other.id)).toMatchObject({ key: "other/new" });
  const options: CopyFolderOptions = { parentId: other.id, name: "copy" };
  const copied: CopiedFolder = await holdall.folders.copy(folder.id, options);
  expect(copied).toMatchObject({ folder: { key: "other/copy" }, replaced: 0, skipped: 0 });
  await holdall.folders.delete(copied.folder.id);
  const back = { name: "last", visibility: "public", parentId: root.folder.id } as const;
  expect(await holdall.folders.update(folder.id, back)).toMatchObject({ key: "last" });
  await holdall.folders.delete(folder.id);
  expect(await status(holdall.folders.browse({ id: folder.id }))).toBe(404);
  expect(await status(holdall.files.get(file.id))).toBe(404);
});

test("settings are read and changed", async () => {
  expect((await holdall.settings.read()).maxFilesPerRequest).toMatchObject({ value: 100 });
  const changed = await holdall.settings.change({ maxFilesPerRequest: 50, minFreeSpace: 0 });
  expect(changed).toMatchObject({ maxFilesPerRequest: { value: 50 }, minFreeSpace: { value: 0 } });
  await holdall.settings.change({ maxFilesPerRequest: null, minFreeSpace: null });
  expect((await holdall.settings.read()).maxFilesPerRequest.value).toBe(100);
  expect(await status(holdall.settings.change({ maxUploadSize: -1 }))).toBe(400);
});

test("names are searched and folders are measured", async () => {
  const found = await holdall.files.uploadMany(
    ["Quay 1", "quay 2", "other"].map((name) => ({ content: text("12345"), name })),
    { folder: "search/QUAY" },
  );
  const page = await holdall.search("quay");
  expect(page.folders.map(({ key }) => key)).toEqual(["search/QUAY"]);
  expect(page.files).toEqual(found.slice(0, 2));
  expect(page.nextCursor).toBeNull();
  const { folderId = "" } = found[0] ?? {};
  const options = { orderBy: "name", orderDirection: "ASC", includeTotal: true } as const;
  const pages = await Array.fromAsync(
    holdall.searchPages("quay", { folderId, limit: 1, ...options }),
  );
  expect(pages.map(({ files }) => files.map(({ name }) => name).join())).toEqual([
    "Quay 1",
    "quay 2",
  ]);
  expect(pages.map(({ total }) => total)).toEqual([2, null]);
  expect(await status(holdall.search("quay", { folderId: "nope" }))).toBe(404);
  expect(await holdall.folders.size({ key: "search" })).toEqual({
    files: 3,
    folders: 1,
    bytes: 15,
  });
  expect(await holdall.folders.size({ ids: [folderId] })).toMatchObject({
    each: [{ id: folderId }],
  });
});

test("keys are limited to actions and a folder, by its key or id", async () => {
  const { id, key } = await holdall.folders.create("limited/keys");
  const limits = { actions: ["list"], folder: key } as const;
  const made = await holdall.keys.create("a limited key", limits);
  expect(made.key).toMatchObject({ actions: ["list"], folder: { id, key }, parentId: null });
  const limited = new Holdall({ url: server.url, apiKey: made.secret });
  expect((await limited.folders.root()).folder.key).toBe(key);
  expect(await status(limited.files.upload(new Blob(["x"]), { name: "x" }))).toBe(403);
  const other = await holdall.keys.create("another", { actions: ["read"], folder: { id } });
  expect(other.key.folder).toEqual({ id, key });
});

test.each([{ key: "limited" }, { id: undefined }, {}, null])(
  "no key is created for a folder given as %p",
  async (folder) => {
    const before = (await holdall.keys.list()).map(({ id }) => id);
    const untyped: unknown = holdall.keys.create;
    if (!isFunction(untyped)) throw new Error("There is no such method.");
    await expect(untyped("untyped", { folder })).rejects.toThrow(/`folder` must be/);
    expect((await holdall.keys.list()).map(({ id }) => id)).toEqual(before);
  },
);

/** A method as a caller without types sees it. */
function isFunction(value: unknown): value is (...args: readonly unknown[]) => Promise<unknown> {
  return typeof value === "function";
}

test("keys are created, renamed and revoked", async () => {
  const { key, secret } = await holdall.keys.create("a key", {
    actions: ["admin"],
    expiresIn: 3_600,
  });
  const second = new Holdall({ url: server.url, apiKey: secret });
  expect((await second.keys.list()).map(({ id }) => id)).toContain(key.id);
  expect(await holdall.keys.rename(key.id, "another")).toMatchObject({ name: "another" });
  await holdall.keys.revoke(key.id);
  expect(await status(second.keys.list())).toBe(401);
  const expiresAt = new Date("2080-01-31T09:30:00Z");
  const { key: brief } = await holdall.keys.create("brief", { expiresAt });
  expect(brief).toMatchObject({
    expiresAt: "2080-01-31 09:30:00",
    actions: ["list", "read", "write", "delete", "share"],
  });
});

test("the audit log is listed page by page", async () => {
  const filter = { action: "createFolder", limit: 1 } as const;
  let page = await holdall.activity.list(filter);
  await holdall.folders.create("audited");
  await eventually("the creation is recorded", async () => {
    page = await holdall.activity.list(filter);
    return page.activity[0]?.subject?.key === "audited";
  });
  expect(page.activity[0]).toMatchObject({ outcome: "done", actor: { kind: "key" } });
  const next = await holdall.activity.list({ ...filter, cursor: page.nextCursor ?? "" });
  expect(next.activity[0]?.subject?.key).not.toBe("audited");
  expect(await status(holdall.activity.list({ limit: 0 }))).toBe(400);
});

test("the overview contains storage and traffic", async () => {
  const file = await holdall.files.upload(text("12345"), { name: "seen.png" });
  await (await fetch(holdall.url(file))).text();
  const overview = await holdall.overview({ period: "week" });
  expect(overview.newest[0]).toEqual(file);
  expect(overview.types.find(({ type }) => type === "image")?.bytes).toBeGreaterThanOrEqual(5);
  expect(overview.traffic).toHaveLength(168);
  expect(overview.traffic.at(-1)?.bytes).toBeGreaterThanOrEqual(5);
  const requested = overview.mostRequested.files.find(({ file: { id } }) => id === file.id);
  expect(requested).toEqual({ file, requests: 1, bytes: 5 });
});
