import { describe, expect, test } from "bun:test";
import { encodePng } from "../../../test/image-encoders.ts";
import { unzip } from "../../../test/unzip.ts";
import { startClient, status, text } from "../client.fixture.ts";
import type { CopyFilesOptions } from "../holdall.ts";

const { server, holdall } = await startClient();

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
    expect(await holdall.files.move(file.id, { folderId: id })).toMatchObject({
      key: "files/moved/c.txt",
    });
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

  test("are signed one by one, together, and with their folder", async () => {
    const { id, key } = await holdall.files.put("signed/a.txt", "hello", { visibility: "private" });
    const read = async (url: string) => (await fetch(url)).text();
    const files = [id, { id }];
    for (const { url } of await holdall.files.sign(files)) expect(await read(url)).toBe("hello");
    const byId = await holdall.files.signMany([...files, "x"]);
    expect(byId.signed.map((file) => file.id)).toEqual([id, id]);
    expect(byId.failed).toMatchObject([{ id: "x" }]);
    const byKey = await holdall.files.signMany([{ key: "no/such" }, { key }]);
    expect(byKey.signed.map((file) => file.id)).toEqual([id]);
    expect(byKey.failed).toMatchObject([{ key: "no/such", code: "not_found" }]);
    expect(await status(holdall.files.sign([id, "x"]))).toBe(404);
    const { url, expiresAt } = await holdall.folders.sign({ key: "signed" }, { expiresIn: 60 });
    expect(await read(`${url}a.txt`)).toBe("hello");
    expect(expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test("are listed with what is included", async () => {
    await holdall.files.put("included/a.txt", "included");
    const include = ["digest", "lastingUrl"] as const;
    for await (const file of holdall.files.list("included", { include })) {
      const { sha256 = null, lastingUrl } = file;
      expect(lastingUrl).toContain("?v=");
      expect(await holdall.files.withDigest({ sha256 })).toHaveLength(1);
    }
    const [found] = await holdall.files.list({ limit: 1, include: ["etag", "metadata"] });
    expect(found).toMatchObject({ etag: expect.any(String), metadata: {} });
    const { files } = await holdall.search("a.txt", { include: ["etag"] });
    expect(files[0]?.etag).toBeString();
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
    const [parent] = (await holdall.folders.root({ peek: true, limit: 0 })).folders.filter(
      ({ name }) => name === "pages",
    );
    expect(parent?.peek).toEqual(files.slice(0, 4));
    const [bare] = (await holdall.folders.page({ key: "" })).folders;
    expect(bare?.peek).toBeUndefined();
    const { folders } = await holdall.folders.root({ hasFolders: true, limit: 0 });
    expect(folders.find(({ name }) => name === "pages")?.hasFolders).toBe(false);
    expect(bare?.hasFolders).toBeUndefined();

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
    const digest = { id, key, size, sha256, etag: expect.any(String) };
    expect(await holdall.files.digest(id)).toEqual(digest);
    expect(await holdall.files.digest({ key })).toEqual(digest);
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

describe("by their keys, files", () => {
  const { files } = holdall;

  test("are stored, replaced, found and listed", async () => {
    const first = await files.put("keys/in/notes.txt", "first");
    expect(first).toMatchObject({ key: "keys/in/notes.txt", size: 5, mimeType: "text/plain" });
    const second = await files.put("keys/in/notes.txt", new TextEncoder().encode("second"));
    expect(second).toMatchObject({ id: first.id, size: 6 });
    expect(await status(files.put(first.key, "x", { onConflict: "refuse" }))).toBe(409);
    expect((await files.put("at-the-root.txt", "x")).key).toBe("at-the-root.txt");

    expect(await files.get({ key: first.key })).toEqual(second);
    expect(await files.exists(first.key)).toBe(true);
    expect(await files.exists("keys/in/none.txt")).toBe(false);
    expect((await files.withDigest(files.digest({ key: first.key }))).map(({ id }) => id)).toEqual([
      first.id,
    ]);

    for (const name of ["b", "a", "c"]) await files.put(`keys/in/${name}`, name);
    const listed = files.list("keys/in", { orderBy: "name", orderDirection: "ASC", limit: 3 });
    const names = await Array.fromAsync(listed, ({ name }) => name);
    expect(names).toEqual(["a", "b", "c", "notes.txt"]);
    const { folderId } = first;
    expect(await Array.fromAsync(files.list({ id: folderId }))).toHaveLength(4);
    expect(await status(files.list("keys/none").next())).toBe(404);
  });

  test("are moved and copied to a key, with its missing folders", async () => {
    const { id } = await files.put("keys/a.txt", "a");
    expect(await files.move({ key: "keys/a.txt" }, "keys/new/deep/b.txt")).toMatchObject({
      id,
      key: "keys/new/deep/b.txt",
    });
    expect(await files.move(id, "keys/new/deep/c.txt")).toMatchObject({ name: "c.txt" });
    const copied = await files.copy({ key: "keys/new/deep/c.txt" }, "keys/other/d.txt");
    expect(copied).toMatchObject({ key: "keys/other/d.txt" });
    expect(await status(files.copy(id, "keys/other/d.txt"))).toBe(409);
    expect(await files.copy(id, "keys/other/d.txt", { onConflict: "skip" })).toBeUndefined();
    expect(await files.move(id, "keys/other/d.txt", { onConflict: "keepBoth" })).toMatchObject({
      key: "keys/other/d (2).txt",
    });
    expect(await files.move(id, "moved-to-the-root.txt")).toMatchObject({
      key: "moved-to-the-root.txt",
    });
    expect(await status(files.move({ key: "keys/none" }, "keys/x"))).toBe(404);
    expect(await files.rename({ key: "keys/other/d.txt" }, "e.txt")).toMatchObject({
      key: "keys/other/e.txt",
    });
    expect(await (await files.download({ key: "keys/other/e.txt" })).response.text()).toBe("a");
  });

  test("are signed and deleted, many at once", async () => {
    const stored = await Promise.all(
      Array.from({ length: 6 }, (_, at) => files.put(`keys/many/${at}.txt`, `${at}`)),
    );
    const links = await files.sign(stored.map(({ key }) => ({ key })));
    const contents = await Promise.all(links.map(async ({ url }) => (await fetch(url)).text()));
    expect(contents).toEqual(["0", "1", "2", "3", "4", "5"]);

    const [first, second, ...others] = stored;
    const byKey = await files.delete([{ key: first?.key ?? "" }, { key: "keys/many/none" }]);
    expect(byKey.deleted).toEqual([first?.id ?? ""]);
    expect(byKey.failed).toMatchObject([{ key: "keys/many/none", code: "not_found" }]);
    const byId = await files.delete([second?.id ?? "", "unknown"]);
    expect(byId.deleted).toEqual([second?.id ?? ""]);
    expect(byId.failed).toMatchObject([{ id: "unknown" }]);
    await expect(files.delete([second?.id ?? "", { key: "a" }])).rejects.toThrow("ids or keys");
    expect(await status(files.delete([{ key: "keys/many/none" }]))).toBe(404);
    await files.delete({ key: others[0]?.key ?? "" });
    expect(await files.exists(others[0]?.key ?? "")).toBe(false);
  });
});

test("any operation is called by its id, with its types", async () => {
  const { key } = await holdall.files.put("calls/a.txt", "a");
  const { sha256 } = await holdall.call("fileDigest", { query: { key } });
  expect(sha256).toHaveLength(64);
  const { upload } = await holdall.call("createUpload", { body: { name: "b.bin", size: 3 } });
  const parameters = { upload: upload.url.split("/").at(-1) ?? "" };
  expect((await holdall.call("showUpload", { parameters })).upload.name).toBe("b.bin");
  expect((await holdall.call("health")).message).toBeString();

  const wrong = () => [
    // @ts-expect-error: no operation has this id.
    holdall.call("fileDigests", { query: { key } }),
    // @ts-expect-error: the parameter is misspelled.
    holdall.call("fileDigest", { query: { keys: key } }),
    // @ts-expect-error: the body is missing.
    holdall.call("createFolder"),
    // @ts-expect-error: the field is misspelled.
    holdall.call("createFolder", { body: { path: "a" } }),
    // @ts-expect-error: the parameters are missing.
    holdall.call("showUpload"),
    // @ts-expect-error: the operation returns a file, not data.
    holdall.call("downloadFile", { parameters: { id: "1" } }),
    // @ts-expect-error: metadata has no such field.
    holdall.files.update("1", { metadata: { cachecontrol: "no-store" } }),
  ];
  expect(wrong).toBeFunction();
});
