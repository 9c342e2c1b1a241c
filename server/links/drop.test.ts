import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { allKeys, expectFault } from "../catalog/suite/catalog.fixture.ts";
import { authorize } from "../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { parseKey, parseName } from "../domain/names/name.ts";
import { createFindCapability } from "../uploads/find-capability.ts";
import type { StartedDrop } from "./drop.ts";
import { type LinksFixture, openLinksFixture } from "./links.fixture.ts";

let fixture: LinksFixture;
beforeAll(async () => {
  fixture = await openLinksFixture();
});
afterAll(() => fixture.end());

let counter = 0;
async function newFolder(): Promise<string> {
  counter += 1;
  const path = `bucket/drop${counter}`;
  await fixture.catalog.createFolder(COMMAND_EVERYWHERE, parseKey(path));
  return path;
}

async function start(token: string, name?: string, client = "192.0.2.1"): Promise<StartedDrop> {
  const { content } = await fixture.openFrom(client, token);
  if (content?.kind !== "drop") throw new Error(`Not a drop link: ${content?.kind}`);
  return content.start(name);
}

/** Adds a file with a form, as a visitor does. */
async function add(token: string, name: string, content = name): Promise<void> {
  const begin = await fixture.uploads.batches.beginUpload(token);
  const session = await begin(content.length);
  try {
    await session.add(name, undefined, bytes(content));
    await session.commit({ folder: parseKey(""), visibility: "public" });
  } finally {
    await session.abort();
  }
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const filesIn = async (folder: string): Promise<string[]> =>
  (await allKeys(fixture.catalog)).filter((key) => key.startsWith(`${folder}/`));

describe("a drop link", () => {
  test("is for folders, and shows its visitors nothing", async () => {
    const folder = await newFolder();
    await fixture.put(`${folder}/secret.txt`, "secret");
    await expectFault(
      fixture.share(`${folder}/secret.txt`, { kind: "drop" }),
      "invalid",
      "`folderId`",
    );
    const { token } = await fixture.share(folder, { kind: "drop" });
    const { content } = await fixture.open(token);
    expect(Object.keys(content ?? {})).toEqual(["kind", "start"]);
  });

  test("makes the files of a visitor appear together, private, in a folder of their own", async () => {
    const folder = await newFolder();
    const { token } = await fixture.share(folder, { kind: "drop" });
    const sent = await Promise.all([start(token, "Ada"), start(token, " Ada "), start(token)]);
    for (const each of sent) {
      await add(each.token, "photo.jpg");
      await add(each.token, "note.txt");
    }
    expect(await filesIn(folder)).toEqual([]);
    for (const each of sent) await fixture.uploads.batches.commit(each.token);
    const keys = await filesIn(folder);
    expect(keys).toHaveLength(6);
    expect(keys.filter((key) => key.includes("/Ada/"))).toHaveLength(2);
    expect(keys.filter((key) => key.includes("/Ada (2)/"))).toHaveLength(2);
    expect(keys.filter((key) => /\/\d{4}-\d\d-\d\d \d\d\.\d\d\//.test(key))).toHaveLength(2);
    for (const key of keys) {
      const file = await fixture.catalog.fileByKey(COMMAND_EVERYWHERE, parseKey(key));
      expect(file).toMatchObject({ visibility: "private", metadata: null });
    }
  });

  test("lets no visitor choose the visibility, the metadata or a place outside", async () => {
    const folder = await newFolder();
    const { token, id } = await fixture.share(folder, { kind: "drop", maxBytes: 100 });
    const started = await start(token, "Eve");
    expect(started.batch).toMatchObject({ maker: { kind: "link", id }, visibility: "private" });
    const { upload } = await fixture.uploads.batches.createUpload(started.token, {
      name: parseName("a.html"),
      folder: parseKey("deep"),
      size: 5,
      visibility: "public",
      metadata: '{"cacheControl":"public"}' as never,
    });
    expect(upload).toMatchObject({ visibility: "private", metadata: null, maxSize: 100 });
    for (const name of ["..", ".", "x".repeat(101), "a\u0000b"]) {
      await expectFault(start(token, name), "invalid");
    }
    for (const [name, shown] of [
      ["Skov A/S", "Skov A-S"],
      ["../up", "..-up"],
      ["a\\b", "a-b"],
    ]) {
      expect((await start(token, name)).batch.folder).toBe(parseKey(`${folder}/${shown}`));
    }
  });

  test("limits the files and bytes of each visitor", async () => {
    const folder = await newFolder();
    const { token } = await fixture.share(folder, { kind: "drop", maxFiles: 2, maxBytes: 10 });
    const one = await start(token, "one");
    await add(one.token, "a", "12345");
    await expectFault(add(one.token, "b", "123456"), "too_large");
    await expectFault(
      fixture.uploads.batches.createUpload(one.token, { name: parseName("b"), size: 6 }),
      "too_large",
    );
    await add(one.token, "b", "12345");
    await expectFault(add(one.token, "c", ""), "too_large", "at most 2 files");
    await fixture.uploads.batches.commit(one.token);
    const two = await start(token, "two");
    await add(two.token, "a", "1234567890");
    await fixture.uploads.batches.commit(two.token);
    expect(await filesIn(folder)).toHaveLength(3);
  });

  test.each([
    ["files", { maxFiles: 2 }],
    ["bytes", { maxBytes: 10 }],
  ])("refuses more %s than its limit while they arrive", async (_what, limit) => {
    const { token } = await fixture.share(await newFolder(), { kind: "drop", ...limit });
    const { token: batch } = await start(token);
    await add(batch, "a", "123");
    const session = await (await fixture.uploads.batches.beginUpload(batch))(0);
    await session.add("b", undefined, bytes("4567"));
    await expectFault(session.add("c", undefined, bytes("89ab")), "too_large");
    await session.abort();
  });

  test("takes a tenth of its open batches from one client, and is open to others", async () => {
    const folder = await newFolder();
    const { token } = await fixture.share(folder, { kind: "drop" });
    for (let count = 0; count < 5; count += 1) await add((await start(token)).token, "a");
    await expectFault(start(token), "rate_limited");
    await add((await start(token, "Ada", "192.0.2.2")).token, "a");
    const other = await fixture.share(folder, { kind: "drop" });
    await start(other.token);
    await fixture.uploads.batches.create(authorize(fixture.ada, "write"), {});
  });

  test("drops the oldest batch of a client that nothing was sent to for a new one", async () => {
    const { batches } = fixture.uploads;
    const { token } = await fixture.share(await newFolder(), { kind: "drop" });
    const full = await start(token);
    await add(full.token, "a");
    const announced = await start(token);
    const arriving = await start(token);
    const form = await (await batches.beginUpload(arriving.token))(1);
    await batches.createUpload(announced.token, { name: parseName("b"), size: 3 });
    const other = await start(token, "Ada", "192.0.2.2");
    const empty = [await start(token), await start(token)];
    const newest = await start(token);
    const found = [full, announced, arriving, other, ...empty, newest].map(({ token: batch }) =>
      batches.find(batch).then(
        () => true,
        () => false,
      ),
    );
    expect(await Promise.all(found)).toEqual([true, true, true, true, false, true, true]);
    await form.add("c", undefined, bytes("c"));
    await form.commit({ folder: parseKey(""), visibility: "public" });
    await form.abort();
    expect((await batches.find(arriving.token)).files).toBe(1);
  });

  test("ends the batches that visitors started with the password of before", async () => {
    const { uploads, links, ada } = fixture;
    const folder = await newFolder();
    const { id, token } = await fixture.share(folder, { kind: "drop" });
    const opened = await fixture.open(token);
    const started = await start(token, "Ada");
    await add(started.token, "a.txt");
    const { token: upload } = await uploads.batches.createUpload(started.token, {
      name: parseName("b.txt"),
      size: 3,
    });
    await links.change(ada, id, { title: "Photos" });
    expect(await uploads.state(upload)).toMatchObject({ upload: { state: "open" } });
    await links.change(ada, id, { password: "gull" });
    await expectFault(uploads.state(upload), "not_found");
    await expectFault(uploads.batches.commit(started.token), "not_found");
    // The page was opened before the change.
    if (opened.content?.kind !== "drop") throw new Error("Not a drop link.");
    await expectFault(opened.content.start("Ada"), "not_found");
    expect(await filesIn(folder)).toEqual([]);
  });

  test("ends with all batches of its visitors", async () => {
    const { catalog, uploads, links, ada } = fixture;
    const ends = [
      (id: string) => links.revoke(ada, id),
      (id: string) => catalog.changeLink({ id, expiresAt: Date.now() - 1 }),
      async (_: string, folder: string) =>
        catalog.removeFolder(COMMAND_EVERYWHERE, (await fixture.subjectAt(folder)).id),
    ];
    for (const end of ends) {
      const folder = await newFolder();
      const { id, token } = await fixture.share(folder, { kind: "drop" });
      const started = await start(token, "Ada");
      await add(started.token, "a.txt");
      await end(id, folder);
      await expectFault(add(started.token, "b.txt"), "not_found");
      await expectFault(uploads.batches.commit(started.token), "not_found");
      await expectFault(start(token), "not_found");
      expect(await filesIn(folder)).toEqual([]);
    }
  });

  test("ends when its maker may no longer write there", async () => {
    const folder = await newFolder();
    const key = await fixture.keyFor(["share", "write"], folder);
    const { token } = await fixture.share(folder, { kind: "drop" }, key);
    const started = await start(token, "Ada");
    await add(started.token, "a.txt");
    await fixture.catalog.removeApiKey({ id: key.actor.id ?? "" });
    await expectFault(fixture.uploads.batches.commit(started.token), "not_found");
    await expectFault(start(token), "not_found");
  });

  test("follows its folder while visitors send, and never uses another one of its name", async () => {
    const folder = await newFolder();
    const { token } = await fixture.share(folder, { kind: "drop" });
    const started = await start(token, "Ada");
    await add(started.token, "a.txt");
    const { upload, token: uploadToken } = await fixture.uploads.batches.createUpload(
      started.token,
      { name: parseName("empty.txt"), size: 3 },
    );
    const { id } = await fixture.subjectAt(folder);
    const away = `away${counter}`;
    await fixture.catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: parseName(away) });
    await fixture.catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${folder}/Ada`));
    expect((await fixture.uploads.state(uploadToken)).upload.id).toBe(upload.id);
    await fixture.uploads.cancel(uploadToken);
    await add(started.token, "b.txt");
    const { batch } = await fixture.uploads.batches.commit(started.token);
    expect(`${batch.folder}`).toBe(`bucket/${away}/Ada`);
    expect(await filesIn(folder)).toEqual([]);
    expect(await filesIn(`bucket/${away}/Ada`)).toHaveLength(2);
  });

  test("has no batch for a visitor who may no longer upload", async () => {
    const { token } = await fixture.share(await newFolder(), { kind: "drop" });
    const started = await start(token, "Ada");
    const { catalog } = fixture;
    for (const scopes of [[], [{ actions: new Set(["list" as const]), folderIds: [] }]]) {
      const find = createFindCapability({ catalog, scopesOf: () => scopes });
      await expectFault(find.batch(started.token), "not_found", "batch");
    }
  });
});
