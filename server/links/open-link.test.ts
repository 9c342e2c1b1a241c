import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { expectFault } from "../catalog/suite/catalog.fixture.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { parseKey, parseName } from "../domain/names/name.ts";
import type { FileRecord, Key } from "../domain/records.ts";
import { type LinksFixture, openLinksFixture } from "./links.fixture.ts";
import type { LinkContent } from "./open-link.ts";

let fixture: LinksFixture;
beforeAll(async () => {
  fixture = await openLinksFixture();
});
afterAll(() => fixture.end());

const HOUR = 3_600_000;
let counter = 0;
/** The key of a new folder below the bucket, with two files. */
async function newFolder(): Promise<string> {
  counter += 1;
  const folder = `bucket/f${counter}`;
  await fixture.put(`${folder}/one.txt`, "one");
  await fixture.put(`${folder}/in/two.txt`, "two");
  return folder;
}

function fileOf(content: LinkContent | undefined): FileRecord {
  if (content?.kind !== "file") throw new Error(`Not a file: ${content?.kind}`);
  return content.file;
}

function folderOf(content: LinkContent | undefined) {
  if (content?.kind !== "folder") throw new Error(`Not a folder: ${content?.kind}`);
  return content.service;
}

const gone = (token: string, ...cookies: string[]): Promise<void> =>
  expectFault(fixture.open(token, ...cookies), "not_found", "does not exist, or it has ended");

describe("a link to a file", () => {
  test("opens this file, under any name and in any folder", async () => {
    const folder = await newFolder();
    const { token } = await fixture.share(`${folder}/one.txt`);
    const { id } = fileOf((await fixture.open(token)).content);
    const { catalog } = fixture;
    await catalog.changeFile(COMMAND_EVERYWHERE, { id, name: parseName("renamed.txt") });
    const inner = await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(`${folder}/in`));
    await catalog.changeFile(COMMAND_EVERYWHERE, { id, folderId: inner?.id ?? "" });
    const opened = await fixture.open(token);
    expect(opened).toMatchObject({ entry: "new", isUnlimited: true, heading: "renamed.txt" });
    expect(String(fileOf(opened.content).key)).toBe(`${folder}/in/renamed.txt`);
  });

  test("never opens the next file of its name", async () => {
    const folder = await newFolder();
    const { token } = await fixture.share(`${folder}/one.txt`);
    const { id } = fileOf((await fixture.open(token)).content);
    await fixture.catalog.changeFile(COMMAND_EVERYWHERE, { id, name: parseName("away.txt") });
    await fixture.put(`${folder}/one.txt`, "another");
    expect(fileOf((await fixture.open(token)).content).id).toBe(id);
    await fixture.catalog.removeFiles(COMMAND_EVERYWHERE, [id]);
    await fixture.put(`${folder}/away.txt`, "another");
    await gone(token);
  });

  test("opens no sibling: its content is one file", async () => {
    const folder = await newFolder();
    const { token } = await fixture.share(`${folder}/one.txt`);
    expect(Object.keys((await fixture.open(token)).content ?? {})).toEqual(["kind", "file"]);
  });
});

describe("a link to a folder", () => {
  test("opens what is below it now, and nothing else", async () => {
    const folder = await newFolder();
    await fixture.put(`${folder}0/secret.txt`, "secret");
    await fixture.put(`${folder}-x.txt`, "secret");
    const { token } = await fixture.share(folder);
    const service = folderOf((await fixture.open(token)).content);
    expect(String((await service.file(parseKey("one.txt"))).key)).toBe(`${folder}/one.txt`);
    await fixture.put(`${folder}/in/new.txt`, "new");
    expect(String((await service.file(parseKey("in/new.txt"))).key)).toBe(`${folder}/in/new.txt`);
    const page = { orderBy: "name", direction: "ASC", offset: 0, limit: null } as const;
    const view = await service.folder(parseKey("in"));
    const names = (await Array.fromAsync(view.files(page))).flat().map(({ name }) => `${name}`);
    expect(names).toEqual(["new.txt", "two.txt"]);
    for (const path of ["", "secret.txt", "in", `${folder}/one.txt`]) {
      await expectFault(service.file(parseKey(path)), "not_found");
    }
    await expectFault(service.folder(parseKey("one.txt")), "not_found");
    await expectFault(service.archive(parseKey("nothing")), "not_found");
    // Paths have no dots; one that was forged would be refused where it is looked up.
    const forged = ["..", `../${folder.slice(7)}0/secret.txt`, "in/../../f1/one.txt"];
    for (const path of forged as Key[]) {
      await expectFault(service.file(path), "invalid");
      await expectFault(service.folder(path), "invalid");
      await expectFault(service.archive(path), "invalid");
    }
  });

  test("does not open what was moved out, also of a visit that runs", async () => {
    const folder = await newFolder();
    const { token } = await fixture.share(folder);
    const service = folderOf((await fixture.open(token)).content);
    const { id } = await service.file(parseKey("one.txt"));
    const away = await newFolder();
    const { id: folderId } = await fixture.subjectAt(away);
    await fixture.catalog.changeFile(COMMAND_EVERYWHERE, {
      id,
      folderId,
      name: parseName("moved.txt"),
    });
    await expectFault(service.file(parseKey("one.txt")), "not_found");
    await expectFault(service.file(parseKey("moved.txt")), "not_found");
  });

  test("follows the folder, and not another one that takes its name", async () => {
    const folder = await newFolder();
    const { token } = await fixture.share(folder);
    const { id } = await fixture.subjectAt(folder);
    const moved = parseName(`moved-${counter}`);
    await fixture.catalog.changeFolder(COMMAND_EVERYWHERE, { id, name: moved });
    await fixture.put(`${folder}/one.txt`, "another");
    const service = folderOf((await fixture.open(token)).content);
    expect(String((await service.file(parseKey("one.txt"))).key)).toBe(`bucket/${moved}/one.txt`);
    await fixture.catalog.removeFolder(COMMAND_EVERYWHERE, id);
    await expectFault(service.file(parseKey("one.txt")), "not_found");
    await gone(token);
  });

  test("of the whole tree opens everything", async () => {
    const folder = await newFolder();
    const { token } = await fixture.share("");
    const opened = await fixture.open(token);
    expect(opened.heading).toBeNull();
    const file = await folderOf(opened.content).file(parseKey(`${folder}/in/two.txt`));
    expect(String(file.key)).toBe(`${folder}/in/two.txt`);
  });
});

describe("the maker of a link", () => {
  const ALL = ["list", "read", "share"] as const;

  test("must still exist", async () => {
    const folder = await newFolder();
    const key = await fixture.keyFor(ALL);
    const { token } = await fixture.share(folder, {}, key);
    await fixture.open(token);
    await fixture.catalog.removeApiKey({ id: key.actor.id ?? "" });
    await gone(token);
  });

  test("must still reach what is shared, and what is below it", async () => {
    const folder = await newFolder();
    const outer = await newFolder();
    const { id } = await fixture.subjectAt(`${folder}/in`);
    const key = await fixture.keyFor(ALL, folder);
    const { token } = await fixture.share(`${folder}/in`, {}, key);
    await fixture.open(token);
    const { id: parentId } = await fixture.subjectAt(outer);
    await fixture.catalog.changeFolder(COMMAND_EVERYWHERE, {
      id,
      parentId,
      name: parseName("taken"),
    });
    await gone(token);
    const back = await fixture.subjectAt(folder);
    await fixture.catalog.changeFolder(COMMAND_EVERYWHERE, { id, parentId: back.id });
    const service = folderOf((await fixture.open(token)).content);
    expect((await service.file(parseKey("two.txt"))).name).toBe(parseName("two.txt"));
  });

  test("may not share what it may not do itself", async () => {
    const folder = await newFolder();
    const file = `${folder}/one.txt`;
    const refused = async (
      actions: Parameters<LinksFixture["keyFor"]>[0],
      path: string,
      kind?: "drop",
    ) =>
      expectFault(
        fixture.share(path, kind === undefined ? {} : { kind }, await fixture.keyFor(actions)),
        "forbidden",
      );
    await refused(["share"], file);
    await refused(["read", "list", "write"], file);
    await refused(["share", "read"], folder);
    await refused(["share", "list"], folder);
    await refused(["share", "read", "list"], folder, "drop");
    await fixture.share(file, {}, await fixture.keyFor(["share", "read"]));
    await fixture.share(folder, { kind: "drop" }, await fixture.keyFor(["share", "write"]));
    const inside = await fixture.keyFor(ALL, `${folder}/in`);
    await expectFault(fixture.share(file, {}, inside), "not_found", "File not found");
    await expectFault(fixture.share(folder, {}, inside), "not_found", "Folder not found");
  });
});

describe("the end of a link", () => {
  test("comes with its time, its revocation and its last visit, which all look the same", async () => {
    const folder = await newFolder();
    const expired = await fixture.share(folder, { expiresIn: 3600 });
    const revoked = await fixture.share(folder);
    const usedUp = await fixture.share(folder, { uses: 1 });
    const { cookie } = await (await fixture.open(usedUp.token)).enter();
    await fixture.open(expired.token);
    await fixture.open(revoked.token);
    await fixture.links.revoke(fixture.ada, revoked.id);
    await fixture.catalog.changeLink({ id: expired.id, expiresAt: Date.now() - 1 });
    for (const { token } of [expired, revoked, usedUp]) await gone(token);
    for (const token of ["", "A".repeat(22), "A".repeat(21), `${usedUp.token}=`, "../x"]) {
      await gone(token);
    }
    expect((await fixture.open(usedUp.token, cookie.value)).entry).toBe("visiting");
    await gone(revoked.token, cookie.value);
  });
});

describe("a visit", () => {
  test("is needed where visits are limited, and lasts in its link only", async () => {
    const folder = await newFolder();
    const { token, id } = await fixture.share(folder, { uses: 2 });
    const opened = await fixture.open(token);
    expect(opened).toMatchObject({ entry: "new", isUnlimited: false, content: undefined });
    const { content, cookie } = await opened.enter();
    expect(content.kind).toBe("folder");
    expect(cookie.maxAge).toBe(24 * 3600);
    for (let request = 0; request < 3; request += 1) {
      const again = await fixture.open(token, "0.forged", cookie.value);
      expect(again).toMatchObject({ entry: "visiting", content: { kind: "folder" } });
    }
    expect(await fixture.catalog.linkById(id)).toMatchObject({ visits: 1, usesLeft: 1 });
    const other = await fixture.share(folder, { uses: 2 });
    expect((await fixture.open(other.token, cookie.value)).entry).toBe("new");
  });

  test("of a link without limits is counted when its owner looks", async () => {
    const { links, ada } = fixture;
    const { token, id } = await fixture.share(await newFolder());
    const opened = await Promise.all(Array.from({ length: 64 }, () => fixture.open(token)));
    await Promise.all(opened.map((each) => each.enter()));
    const listed = await links.list(ada, { includesRevoked: false, limit: 100 });
    expect(listed.find((link) => link.id === id)).toMatchObject({ visits: 64, usesLeft: null });
    expect(await links.change(ada, id, { uses: 1 })).toMatchObject({ visits: 64, usesLeft: 1 });
    await (await fixture.open(token)).enter();
    expect(await fixture.catalog.linkById(id)).toMatchObject({ visits: 65, usesLeft: 0 });
  });

  test("is let in once, of 64 first visits at once of a link with one use", async () => {
    const { token, id } = await fixture.share(await newFolder(), { uses: 1 });
    const opened = await Promise.all(Array.from({ length: 64 }, () => fixture.open(token)));
    const outcomes = await Promise.allSettled(opened.map((each) => each.enter()));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await fixture.catalog.linkById(id)).toMatchObject({ visits: 1, usesLeft: 0 });
  });

  test("ends with a new password, but not with other changes", async () => {
    const { token, id } = await fixture.share(await newFolder(), { uses: 5 });
    const { cookie } = await (await fixture.open(token)).enter();
    await fixture.links.change(fixture.ada, id, { title: "Title", uses: 1 });
    expect(await fixture.open(token, cookie.value)).toMatchObject({
      entry: "visiting",
      heading: "Title",
    });
    await fixture.links.change(fixture.ada, id, { password: "new" });
    expect((await fixture.open(token, cookie.value)).entry).toBe("password");
  });
});

describe("a password", () => {
  test("protects the content and its name, and is checked before a visit is counted", async () => {
    const { token, id } = await fixture.share(`${await newFolder()}/one.txt`, {
      password: "gull & tide",
      uses: 2,
    });
    const opened = await fixture.open(token);
    expect(opened).toMatchObject({ entry: "password", heading: null, content: undefined });
    await expectFault(opened.enter(), "unauthorized", "needs its password");
    await expectFault(opened.enter(""), "unauthorized", "wrong");
    await expectFault(opened.enter("gull"), "unauthorized", "wrong");
    expect(await fixture.catalog.linkById(id)).toMatchObject({ visits: 0, usesLeft: 2 });
    const { content, cookie } = await opened.enter("gull & tide");
    expect(`${fileOf(content).name}`).toBe("one.txt");
    expect(await fixture.open(token, cookie.value)).toMatchObject({
      entry: "visiting",
      heading: "one.txt",
    });
    expect(await fixture.catalog.linkById(id)).toMatchObject({ visits: 1, usesLeft: 1 });
  });

  test("cannot be guessed quickly, from one client or many, and lets visitors in meanwhile", async () => {
    const { token } = await fixture.share(await newFolder(), { password: "right" });
    const from = async (client: string, password: string) =>
      (await fixture.links.open(token, { cookies: [], client })).enter(password);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expectFault(from("192.0.2.7", "wrong"), "unauthorized");
    }
    await expectFault(from("192.0.2.7", "right"), "rate_limited");
    for (let guess = 0; guess < 10; guess += 1) {
      await expectFault(from(`192.0.2.${10 + (guess % 5)}`, "wrong"), "unauthorized");
    }
    // One of those who have failed has its turn, the others wait.
    await expectFault(from("192.0.2.10", "wrong"), "unauthorized");
    await expectFault(from("192.0.2.11", "right"), "rate_limited");
    expect((await from("192.0.2.99", "right")).content.kind).toBe("folder");
    // Another link is not affected.
    const other = await fixture.share(await newFolder(), { password: "right" });
    const opened = await fixture.links.open(other.token, { cookies: [], client: "192.0.2.7" });
    expect((await opened.enter("right")).content.kind).toBe("folder");
  });

  test("that was replaced while it was checked lets nobody in", async () => {
    const { token, id } = await fixture.share(await newFolder(), { password: "old" });
    const opened = await fixture.open(token);
    await fixture.links.change(fixture.ada, id, { password: "new" });
    await expectFault(opened.enter("old"), "not_found");
  });
});

describe("the trash", () => {
  test("ends links to what is in it, until it is restored", async () => {
    const folder = await newFolder();
    const { catalog, ada } = fixture;
    const { id: fileId } = await fixture.subjectAt(`${folder}/one.txt`);
    const { id } = await fixture.subjectAt(folder);
    const ofFile = await fixture.share(`${folder}/one.txt`, { uses: 1 });
    const ofFolder = await fixture.share(folder);
    const { cookie } = await (await fixture.open(ofFile.token)).enter();
    const trashed = await catalog.trashFiles(ada, { ids: [fileId], keepMs: HOUR });
    await gone(ofFile.token, cookie.value);
    const service = folderOf((await fixture.open(ofFolder.token)).content);
    await expectFault(service.file(parseKey("one.txt")), "not_found");
    await fixture.put(`${folder}/one.txt`, "another");
    await gone(ofFile.token, cookie.value);
    await catalog.restoreTrash(ada, { undoId: trashed.undoId ?? "" });
    expect(fileOf((await fixture.open(ofFile.token, cookie.value)).content).id).toBe(fileId);

    const { undoId } = await catalog.trashFolder(ada, { id, keepMs: HOUR });
    for (const { token } of [ofFile, ofFolder]) await gone(token, cookie.value);
    await expectFault(service.file(parseKey("in/two.txt")), "not_found");
    await expectFault(service.folder(parseKey("in")), "not_found");
    while (await catalog.removeEndedLinks(0, 100));
    await catalog.restoreTrash(ada, { undoId });
    const again = folderOf((await fixture.open(ofFolder.token)).content);
    expect(`${(await again.file(parseKey("in/two.txt"))).name}`).toBe("two.txt");
    expect((await fixture.open(ofFile.token, cookie.value)).entry).toBe("visiting");
  });

  test("shows those who send files nothing of the folder, not even its name", async () => {
    const { token } = await fixture.share(await newFolder(), { kind: "drop" });
    const opened = await fixture.open(token);
    const { cookie } = await opened.enter();
    expect(opened.heading).toBeNull();
    expect((await fixture.open(token, cookie.value)).heading).toBeNull();
  });

  test("ends a drop link with its folder, also for visitors who are sending", async () => {
    const folder = await newFolder();
    const { id } = await fixture.subjectAt(folder);
    const { token } = await fixture.share(folder, { kind: "drop" });
    const { content } = await fixture.open(token);
    if (content?.kind !== "drop") throw new Error("Not a drop link.");
    const started = await content.start("Ada");
    const { catalog, ada } = fixture;
    const { undoId } = await catalog.trashFolder(ada, { id, keepMs: HOUR });
    await gone(token);
    await expectFault(fixture.uploads.batches.find(started.token), "not_found");
    await catalog.restoreTrash(ada, { undoId });
    expect((await fixture.uploads.batches.find(started.token)).id).toBe(started.batch.id);
  });
});
