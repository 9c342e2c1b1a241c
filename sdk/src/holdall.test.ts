import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startServer, type TestServer } from "../../test/harness.ts";
import { encodePng } from "../../test/image-encoders.ts";
import { unzip } from "../../test/unzip.ts";
import {
  type CopiedFolder,
  type CopyFilesOptions,
  type CopyFolderOptions,
  type Fetch,
  Holdall,
  HoldallError,
} from "./holdall.ts";

let server: TestServer;
let holdall: Holdall;

beforeAll(async () => {
  server = await startServer({
    ADMIN_EMAIL: "ada@example.com",
    ADMIN_PASSWORD: "correct horse battery",
  });
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
});
afterAll(() => server.discard());

const text = (content: string) => new Blob([content], { type: "text/plain" });

async function status(promise: Promise<unknown>): Promise<number> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof HoldallError ? error.status : -1;
}

test("health, readiness and the API description are available", async () => {
  expect(await holdall.health()).toContain("Holdall");
  expect(await holdall.ready()).toBeUndefined();
  expect(await holdall.openapi()).toHaveProperty("openapi");
});

test("a wrong key is rejected with 401", async () => {
  const stranger = new Holdall({ url: server.url, apiKey: "hd_unknown" });
  expect(await status(stranger.files.list())).toBe(401);
});

describe("files", () => {
  test("are fetched, changed and deleted", async () => {
    const file = await holdall.files.upload(text("hello"), { name: "a.txt", folder: "files" });
    expect(file).toMatchObject({ name: "a.txt", key: "files/a.txt", size: 5 });
    expect(await holdall.files.get(file.id)).toEqual(file);
    expect(await holdall.files.getByKey("files/a.txt")).toEqual(file);
    expect(await holdall.files.named("a.txt")).toEqual([file]);
    expect(await holdall.files.named("unknown.txt")).toEqual([]);

    expect(await holdall.files.rename(file.id, "b.txt")).toMatchObject({ key: "files/b.txt" });
    expect(await holdall.files.setVisibility(file.id, "private")).toMatchObject({
      visibility: "private",
    });
    const changed = await holdall.files.update(file.id, { name: "c.txt", visibility: "public" });
    expect(changed).toMatchObject({ name: "c.txt", visibility: "public" });

    const { id } = await holdall.folders.create("files/moved");
    expect(await holdall.files.move(file.id, id)).toMatchObject({ key: "files/moved/c.txt" });
    const back = { name: "d.txt", folderId: file.folderId };
    expect(await holdall.files.update(file.id, back)).toMatchObject({ key: "files/d.txt" });

    const options: CopyFilesOptions = { onConflict: "keepBoth" };
    const [copy] = await holdall.files.copy(file.id, options);
    expect(copy).toMatchObject({ key: "files/d (2).txt", size: 5, visibility: "public" });
    expect(await holdall.files.copy([file.id], { folderId: id })).toMatchObject([
      { key: "files/moved/d.txt" },
    ]);

    await holdall.files.delete(file.id);
    expect(await status(holdall.files.get(file.id))).toBe(404);
    expect(await status(holdall.files.delete(file.id))).toBe(404);
  });

  test("are listed with order, limit and offset", async () => {
    const files = await holdall.files.uploadMany(
      ["c", "a", "b"].map((name) => ({ content: text(name), name })),
      { folder: "list" },
    );
    expect(files.map(({ name }) => name)).toEqual(["c", "a", "b"]);
    const page = await holdall.folders.browse(
      { key: "list" },
      { orderBy: "name", orderDirection: "ASC", limit: 2, offset: 1 },
    );
    expect(page.files.map(({ name }) => name)).toEqual(["b", "c"]);

    const { deleted, failed } = await holdall.files.deleteMany([...files.map(({ id }) => id), "x"]);
    expect(deleted).toHaveLength(3);
    expect(failed).toEqual([{ id: "x", message: expect.any(String) }]);
  });

  test("are listed page by page", async () => {
    const files = await holdall.files.uploadMany(
      ["a", "b", "c", "d", "e"].map((name) => ({ content: text(name), name })),
      { folder: "pages" },
    );
    const byName = { orderBy: "name", orderDirection: "ASC", limit: 2 } as const;
    const pages = await Array.fromAsync(holdall.folders.pages({ key: "pages" }, byName));
    const letters = pages.map((page) => page.files.map(({ name }) => name).join(""));
    expect(letters).toEqual(["ab", "cd", "e"]);
    const cursor = pages[0]?.nextCursor ?? "";
    const second = await holdall.folders.page({ key: "pages" }, { ...byName, cursor });
    expect(second.files.map(({ name }) => name)).toEqual(["c", "d"]);

    const whole = await holdall.files.list({ orderBy: "type" });
    expect(await Array.fromAsync(holdall.files.each({ orderBy: "type", limit: 2 }))).toEqual(whole);
    expect((await Array.fromAsync(holdall.files.each({ name: "c" }))).length).toBe(1);
    expect((await holdall.files.page({ limit: 1 })).nextCursor).not.toBeNull();
    expect((await Array.fromAsync(holdall.files.pages())).length).toBe(1);
    await holdall.files.deleteMany(files.map(({ id }) => id));
  });

  test("are compared with a digest, have one, and are found by it", async () => {
    const content = text("digested");
    const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    const wrong = { name: "wrong", sha256: "0".repeat(64) };
    expect(await status(holdall.files.upload(content, wrong))).toBe(400);
    const files = await holdall.files.uploadMany(
      [
        { content: text("other"), name: "other" },
        { content, name: "digested", sha256 },
      ],
      { folder: "digests" },
    );
    const file = files[1];
    if (file === undefined) throw new Error("No file.");
    const { id, key, size } = file;
    expect(await holdall.files.digest(id)).toEqual({ id, key, size, sha256 });
    expect(await holdall.files.digest({ key })).toEqual({ id, key, size, sha256 });
    expect(await holdall.files.withDigest(sha256)).toEqual([file]);
    expect((await Array.fromAsync(holdall.files.each({ sha256 }))).length).toBe(1);
    await holdall.files.deleteMany(files.map((each) => each.id));
  });

  test("have metadata, which is set, changed and removed", async () => {
    const metadata = { cacheControl: "no-cache", "x-author": "Ada" } as const;
    const { id, key } = await holdall.files.upload(text("content"), { name: "meta", metadata });
    expect(await holdall.files.metadata(id)).toEqual(metadata);
    await holdall.files.update(id, { metadata: { "x-author": null, contentLanguage: "de" } });
    expect(await holdall.files.metadata({ key })).toEqual({
      cacheControl: "no-cache",
      contentLanguage: "de",
    });
    await holdall.files.update(id, { metadata: null });
    expect(await holdall.files.metadata(id)).toEqual({});
    await holdall.files.delete(id);
  });

  test("are downloaded completely and by range", async () => {
    const { id } = await holdall.files.upload(text("0123456789"), { name: "digits.txt" });
    const whole = await holdall.files.download(id);
    expect(whole).toMatchObject({ size: 10, range: undefined });
    expect(whole.type).toStartWith("text/plain");
    expect(await new Response(whole.body).text()).toBe("0123456789");

    const part = await holdall.files.download(id, { range: { start: 2, end: 4 } });
    expect(part).toMatchObject({ size: 3, range: { start: 2, end: 4, size: 10 } });
    expect(await part.response.text()).toBe("234");
    const rest = await holdall.files.download(id, { range: { start: 8 } });
    expect(await rest.response.text()).toBe("89");
    const last = await holdall.files.download(id, { range: { last: 3 } });
    expect(await last.response.text()).toBe("789");
    expect(await status(holdall.files.download(id, { range: { start: 10 } }))).toBe(416);
    expect(await status(holdall.files.download(id, { range: { start: 3, end: 1 } }))).toBe(400);

    const empty = await holdall.files.upload(new Uint8Array(), { name: "empty" });
    const nothing = await holdall.files.download(empty.id);
    expect(nothing.size).toBe(0);
    expect((await new Response(nothing.body).bytes()).length).toBe(0);
  });

  test("have absolute URLs and signed URLs", async () => {
    const name = "süß #1?%22.txt";
    const file = await holdall.files.upload(text("secret"), { name, visibility: "private" });
    expect(file.name).toBe(name);
    expect(holdall.url(file)).toBe(holdall.url(file.key));
    expect((await fetch(holdall.url(file))).status).toBe(404);

    const before = Date.now();
    const { url, expiresAt } = await holdall.files.sign(file, { expiresIn: 60 });
    expect(url).toStartWith(`${server.url}/`);
    expect(expiresAt.getTime() - before).toBeWithin(58_000, 62_000);
    expect(await (await fetch(url)).text()).toBe("secret");
    const saved = await fetch(holdall.url({ url }, { download: true }));
    expect(saved.headers.get("content-disposition")).toStartWith("attachment");
    expect((await holdall.files.sign({ key: file.key })).url).toContain("sig=");
    expect((await holdall.files.sign(file.id)).url).toContain("sig=");
  });
});

test("images are downloaded in smaller sizes", async () => {
  const png = await new Bun.Image(encodePng(900, 300, () => [9, 9, 9])).bytes();
  const file = await holdall.files.upload(new Uint8Array(png), { name: "wide.png" });
  const image = await holdall.image(file, "small");
  expect(image.type).toBe("image/webp");
  const { width, height } = await new Bun.Image(await image.bytes()).metadata();
  expect([width, height]).toEqual([320, 107]);
  const { url } = await holdall.files.sign(file.id);
  for (const absolute of [holdall.url(file), url]) {
    expect((await holdall.image({ url: absolute }, "small")).size).toBe(image.size);
  }
  const elsewhere = holdall.image({ url: "http://127.0.0.1:9/api/hosting/wide.png" }, "small");
  expect(await elsewhere.catch((error: unknown) => error)).toBeInstanceOf(TypeError);
  const plain = await holdall.files.upload(text("no image"), { name: "image.txt" });
  expect(await status(holdall.image(plain, "small"))).toBe(415);
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
  const { key, secret } = await holdall.keys.create("a key", { expiresIn: 3_600 });
  const second = new Holdall({ url: server.url, apiKey: secret });
  expect((await second.keys.list()).map(({ id }) => id)).toContain(key.id);
  expect(await holdall.keys.rename(key.id, "another")).toMatchObject({ name: "another" });
  await holdall.keys.revoke(key.id);
  expect(await status(second.keys.list())).toBe(401);
});

describe("the account", () => {
  /** A client that stores cookies like a browser. */
  function browser(): Holdall {
    const cookies = new Map<string, string>();
    const fetchWithCookies: Fetch = async (url, init) => {
      const headers = new Headers(init.headers);
      headers.set("Cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
      const response = await fetch(url, { ...init, headers });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      return response;
    };
    return new Holdall({ url: server.url, fetch: fetchWithCookies });
  }

  test("signs in, manages sessions, changes its password and signs out", async () => {
    const email = "ada@example.com";
    const { account } = browser();
    const other = browser();
    expect(await account.setupState()).toEqual({ needed: false });
    expect(await status(account.setup({ token: "x", email, password: "another horse" }))).toBe(409);
    expect(await status(account.whoAmI())).toBe(401);
    expect(await status(account.signIn({ email, password: "wrong" }))).toBe(401);

    expect(await account.signIn({ email, password: "correct horse battery" })).toMatchObject({
      email,
    });
    await other.account.signIn({ email, password: "correct horse battery" });
    expect((await account.whoAmI()).session.current).toBe(true);
    expect((await other.files.list()).length).toBeGreaterThan(0);

    const sessions = await account.sessions();
    expect(sessions).toHaveLength(2);
    await account.endSession(sessions.find(({ current }) => !current)?.id ?? "");
    expect(await status(other.account.whoAmI())).toBe(401);
    await other.account.signIn({ email, password: "correct horse battery" });
    expect(await account.endOtherSessions()).toBe(1);

    const change = { currentPassword: "correct horse battery", newPassword: "an even longer one" };
    expect(await account.changePassword(change)).toMatchObject({ email });
    expect((await account.whoAmI()).account.email).toBe(email);
    await account.signOut();
    expect(await status(account.whoAmI())).toBe(401);
  });
});

test("a folder and a selection are downloaded as zips", async () => {
  const file = await holdall.files.upload(text("x"), { name: "a.txt", folder: "zips/übung" });
  const folder = await holdall.folders.download(file.folderId);
  expect(folder.name).toBe("übung.zip");
  const bytes = await new Response(folder.body).bytes();
  expect(bytes.length).toBe(folder.size);
  expect(unzip(bytes).map(({ path }) => path)).toEqual(["übung/", "übung/a.txt"]);
  const selection = await holdall.files.downloadZip({ ids: [file.id] });
  expect((await selection.response.bytes()).length).toBe(selection.size);
  expect(await status(holdall.files.downloadZip({ folderIds: ["x"] }))).toBe(404);
});

test("the audit log is listed page by page", async () => {
  const until = Date.now() + 20_000;
  const filter = { action: "createFolder", limit: 1 } as const;
  let page = await holdall.activity.list(filter);
  await holdall.folders.create("audited");
  while (page.activity[0]?.subject?.key !== "audited" && Date.now() < until) {
    await Bun.sleep(100);
    page = await holdall.activity.list(filter);
  }
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
});
