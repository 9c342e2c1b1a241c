import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import type { LinkRecord } from "../../domain/links.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { type CatalogFixture, createUploader, expectFault, folderAt } from "./catalog.fixture.ts";
import { newLink } from "./links.fixture.ts";
import { createUploads, expectCondemned } from "./uploads.fixture.ts";

const HOUR = 3_600_000;

export function linksSuite(fixture: () => CatalogFixture): void {
  const parts = () => {
    const { catalog } = fixture();
    return { catalog, uploader: createUploader(catalog), uploads: createUploads(catalog) };
  };

  async function add(
    subject: LinkRecord["subject"],
    wanted: Partial<LinkRecord> = {},
  ): Promise<LinkRecord> {
    const link = { ...newLink(subject), ...wanted };
    await fixture().catalog.addLink(link);
    return link;
  }

  async function newFile(key = "a/file.txt") {
    const names = key.split("/");
    const folder = names.slice(0, -1).join("/");
    return createUploader(fixture().catalog).addOne(names.at(-1) ?? "", { folder });
  }

  const drop = (folderId: string, wanted: Partial<LinkRecord> = {}): Promise<LinkRecord> =>
    add({ kind: "folder", id: folderId }, { kind: "drop", ...wanted });

  const visitor = ({ id }: LinkRecord) => ({ kind: "link", id, name: null }) as const;
  const all = { includesRevoked: false, limit: 100 };

  describe("a link", () => {
    test("keeps everything it was created with", async () => {
      const { catalog } = parts();
      const file = await newFile();
      const link = await add(
        { kind: "file", id: file.id },
        {
          title: "Ünïcode",
          passwordHash: "$argon2id$",
          passwordVersion: 3,
          expiresAt: 2 ** 45,
          usesLeft: 7,
          downloadOnly: true,
          maxBytes: 2 ** 50,
          maxFiles: 12,
        },
      );
      expect(await catalog.linkById(link.id)).toEqual(link);
      expect(await catalog.linkByTokenHash(link.tokenHash)).toEqual(link);
      expect(await catalog.linkById("unknown")).toBeUndefined();
      expect(await catalog.linkByTokenHash("unknown")).toBeUndefined();
    });

    test("cannot be made for what is not in the tree", async () => {
      const { catalog } = parts();
      const file = await newFile("gone/file.txt");
      const folder = await folderAt(catalog, "gone");
      await catalog.removeFolder(COMMAND_EVERYWHERE, folder.id);
      await expectFault(add({ kind: "file", id: file.id }), "not_found", "File");
      await expectFault(add({ kind: "folder", id: folder.id }), "not_found", "Folder");
      await expectFault(add({ kind: "folder", id: "unknown" }), "not_found");
    });

    test("is listed with the current key of what it shares, newest first", async () => {
      const { catalog } = parts();
      const file = await newFile("a/b/file.txt");
      const a = await folderAt(catalog, "a");
      const root = await folderAt(catalog, "");
      const links = [
        await add({ kind: "file", id: file.id }),
        await add({ kind: "folder", id: a.id }),
        await add({ kind: "folder", id: root.id }),
      ].toReversed();
      const keys = async (): Promise<unknown[]> =>
        (await catalog.listLinks(all)).map(({ subjectKey }) => subjectKey);
      expect((await catalog.listLinks(all)).map(({ id }) => id)).toEqual(links.map(({ id }) => id));
      expect(await keys()).toEqual(["", "a", "a/b/file.txt"]);
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, name: parseName("z") });
      expect(await keys()).toEqual(["", "z", "z/b/file.txt"]);
      await catalog.removeFolder(COMMAND_EVERYWHERE, a.id);
      expect(await keys()).toEqual(["", null, null]);
    });

    test("is found in lists by its maker and its subject, in pages", async () => {
      const { catalog } = parts();
      const file = { kind: "file", id: (await newFile()).id } as const;
      const folder = { kind: "folder", id: (await folderAt(catalog, "a")).id } as const;
      const key = { kind: "key", id: "k1", name: "CI" } as const;
      const one = await add(file, { maker: key });
      const two = await add(folder, { maker: key });
      const three = await add(file);
      const four = await add(file, { maker: { ...key, id: "k2" } });
      const ids = async (filter: object) =>
        (await catalog.listLinks({ ...all, ...filter })).map(({ id }) => id);
      expect(await ids({ subject: file })).toEqual([four.id, three.id, one.id]);
      expect(await ids({ subject: { kind: "folder", id: file.id } })).toEqual([]);
      expect(await ids({ makerIds: ["k1"] })).toEqual([two.id, one.id]);
      expect(await ids({ makerIds: ["k1", "k2"] })).toEqual([four.id, two.id, one.id]);
      expect(await ids({ makerIds: [] })).toEqual([]);
      expect(await ids({ ids: [three.id] })).toEqual([three.id]);
      expect(await ids({ limit: 2 })).toEqual([four.id, three.id]);
      expect(await ids({ limit: 2, before: three.id })).toEqual([two.id, one.id]);
    });

    test("is changed in what is given, and each new password has another version", async () => {
      const { catalog } = parts();
      const link = await add({ kind: "file", id: (await newFile()).id }, { title: "one" });
      const changed = await catalog.changeLink({ id: link.id, usesLeft: 4, downloadOnly: true });
      expect(changed).toEqual({ ...link, usesLeft: 4, downloadOnly: true });
      await catalog.changeLink({ id: link.id, title: null, usesLeft: null, passwordHash: "p" });
      await catalog.changeLink({ id: link.id, passwordHash: null, expiresAt: 9, maxFiles: 2 });
      expect(await catalog.changeLink({ id: link.id })).toEqual({
        ...link,
        title: null,
        downloadOnly: true,
        passwordVersion: 2,
        expiresAt: 9,
        maxFiles: 2,
      });
      expect(await catalog.changeLink({ id: "unknown", title: "x" })).toBeUndefined();
    });

    test("is revoked once, and stays in the list of all links", async () => {
      const { catalog } = parts();
      const link = await add({ kind: "file", id: (await newFile()).id });
      expect(await catalog.revokeLink(link.id)).toBe(true);
      expect(await catalog.revokeLink(link.id)).toBe(false);
      expect(await catalog.revokeLink("unknown")).toBe(false);
      expect(await catalog.changeLink({ id: link.id, title: "x" })).toBeUndefined();
      expect(await catalog.listLinks(all)).toEqual([]);
      const [listed] = await catalog.listLinks({ ...all, includesRevoked: true });
      expect(listed).toMatchObject({ id: link.id, revokedAt: expect.any(Number) });
    });
  });

  describe("visits of a link", () => {
    test("are counted without limit, or as many as are left", async () => {
      const { catalog } = parts();
      const file = { kind: "file", id: (await newFile()).id } as const;
      const open = await add(file);
      const limited = await add(file, { usesLeft: 2 });
      const visit = ({ id, passwordVersion }: LinkRecord) =>
        catalog.countVisit({ id, passwordVersion });
      expect([await visit(open), await visit(open), await visit(open)]).toEqual([true, true, true]);
      expect(await catalog.linkById(open.id)).toMatchObject({ visits: 3, usesLeft: null });
      const results = [await visit(limited), await visit(limited), await visit(limited)];
      expect(results).toEqual([true, true, false]);
      expect(await catalog.linkById(limited.id)).toMatchObject({ visits: 2, usesLeft: 0 });
    });

    test("are refused with an old password, after the end, and once it is revoked", async () => {
      const { catalog } = parts();
      const file = { kind: "file", id: (await newFile()).id } as const;
      const link = await add(file, { passwordHash: "one" });
      await catalog.changeLink({ id: link.id, passwordHash: "two" });
      expect(await catalog.countVisit(link)).toBe(false);
      expect(await catalog.countVisit({ ...link, passwordVersion: 1 })).toBe(true);
      expect(await catalog.countVisit(await add(file, { expiresAt: Date.now() - 1 }))).toBe(false);
      expect(await catalog.countVisit(await add(file, { expiresAt: Date.now() + HOUR }))).toBe(
        true,
      );
      await catalog.revokeLink(link.id);
      expect(await catalog.countVisit({ ...link, passwordVersion: 1 })).toBe(false);
      expect(await catalog.linkById(link.id)).toMatchObject({ visits: 1 });
    });

    test("of 64 at once, as many get in as are left", async () => {
      const { catalog } = parts();
      const link = await add({ kind: "file", id: (await newFile()).id }, { usesLeft: 3 });
      const results = await Promise.all(Array.from({ length: 64 }, () => catalog.countVisit(link)));
      expect(results.filter(Boolean)).toHaveLength(3);
      expect(await catalog.linkById(link.id)).toMatchObject({ visits: 3, usesLeft: 0 });
    });
  });

  test("visits are added to links that exist", async () => {
    const { catalog } = parts();
    const file = { kind: "file", id: (await newFile()).id } as const;
    const [one, other] = [await add(file), await add(file)];
    await catalog.addVisits([
      { id: other.id, count: 2 },
      { id: "unknown", count: 1 },
      { id: one.id, count: 40 },
    ]);
    await catalog.addVisits([{ id: one.id, count: 2 }]);
    expect(await catalog.linkById(one.id)).toMatchObject({ visits: 42, usesLeft: null });
    expect(await catalog.linkById(other.id)).toMatchObject({ visits: 2 });
  });

  describe("a visitor's batch", () => {
    test("gets a folder of its own when it is committed", async () => {
      const { catalog, uploads } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("in"));
      const link = await drop((await folderAt(catalog, "in")).id);
      const folder = parseKey("in/Ada");
      const batches = await Promise.all(
        [1, 2, 3].map(() => uploads.addBatch({ maker: visitor(link), folder })),
      );
      for (const id of batches) await uploads.seal(id, ["same.txt"]);
      const committed = await Promise.all(batches.map((id) => uploads.commitBatch(id)));
      const folders = committed.map(({ batch }) => String(batch.folder));
      expect(folders.toSorted()).toEqual(["in/Ada", "in/Ada (2)", "in/Ada (3)"]);
      for (const path of folders) {
        expect(
          await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey(`${path}/same.txt`)),
        ).toBeDefined();
      }
      const [first = ""] = batches;
      const again = await uploads.commitBatch(first);
      expect(again).toMatchObject({ isNew: false, batch: { folder: folders[0] } });
    });

    test("takes at most as many files as the link allows, with those that are open", async () => {
      const { catalog, uploads } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("in"));
      const link = await drop((await folderAt(catalog, "in")).id, { maxFiles: 3 });
      const id = await uploads.addBatch({ maker: visitor(link) });
      await uploads.seal(id, ["a"]);
      const wanted = { batchId: id, maker: visitor(link), folder: parseKey("") };
      const open = await uploads.add({ ...wanted, name: parseName("b") });
      await uploads.add({ ...wanted, name: null });
      await expectFault(uploads.add({ ...wanted, name: parseName("d") }), "too_large", "3 files");
      await expectFault(uploads.seal(id, ["d", "e", "f"]), "too_large", "3 files");
      await uploads.finish(open);
      expect(await catalog.batchById(id)).toMatchObject({ files: 2 });
      await expectFault(uploads.seal(id, ["d", "e"]), "too_large");
      await uploads.seal(id, ["d"]);
      await expectFault(uploads.seal(id, ["e"]), "too_large");
      // The limits of another batch are its own.
      await uploads.seal(await uploads.addBatch({ maker: visitor(link) }), ["a", "b", "c"]);
    });

    test("takes at most as many bytes as the link allows, whatever is announced", async () => {
      const { catalog, uploads } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("in"));
      const link = await drop((await folderAt(catalog, "in")).id, { maxBytes: 100 });
      const id = await uploads.addBatch({ maker: visitor(link) });
      await uploads.seal(id, ["a"], { size: 40 });
      const wanted = { batchId: id, maker: visitor(link), folder: parseKey("") };
      await uploads.add({ ...wanted, name: parseName("b"), length: 30 });
      const tooLong = { ...wanted, name: parseName("c"), length: 31 };
      await expectFault(uploads.add(tooLong), "too_large", "100 bytes");
      const unknown = { ...wanted, name: parseName("c"), length: null, maxSize: 31 };
      await expectFault(uploads.add(unknown), "too_large", "100 bytes");
      await uploads.add({ ...unknown, maxSize: 30 });
      await expectFault(uploads.seal(id, ["d"], { size: 61 }), "too_large", "100 bytes");
      // An owner may change the limits meanwhile.
      await catalog.changeLink({ id: link.id, maxBytes: 101 });
      await uploads.seal(id, ["d"], { size: 61 });
    });

    test("has to wait when the unfinished ones of its link have 20 times its bytes", async () => {
      const { catalog, uploads } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("in"));
      const link = await drop((await folderAt(catalog, "in")).id, { maxBytes: 100 });
      const started = () => uploads.addBatch({ maker: visitor(link) });
      const full = await Promise.all(Array.from({ length: 19 }, started));
      for (const id of full) await uploads.seal(id, ["a"], { size: 100 });
      const announced = { maker: visitor(link), folder: parseKey("") };
      const half = await started();
      await uploads.add({ ...announced, batchId: half, name: parseName("a"), length: 60 });
      const last = await started();
      const upload = { ...announced, batchId: last, name: parseName("a") };
      await expectFault(uploads.add({ ...upload, length: 41 }), "rate_limited");
      await expectFault(uploads.seal(last, ["b"], { size: 41 }), "rate_limited");
      await uploads.add({ ...upload, length: 40 });
      await uploads.commit(full[0] ?? "");
      await uploads.seal(last, ["b"], { size: 41 });
    });

    test("does not exceed them together with others at the same moment", async () => {
      const { catalog, uploads } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("in"));
      const link = await drop((await folderAt(catalog, "in")).id, { maxBytes: 100 });
      const started = () => uploads.addBatch({ maker: visitor(link) });
      const ids = await Promise.all(Array.from({ length: 40 }, started));
      const announced = { maker: visitor(link), folder: parseKey(""), length: 100 };
      const outcomes = await Promise.allSettled(
        ids.map((id, index) =>
          index % 2 === 0
            ? uploads.seal(id, ["a"], { size: 100 })
            : uploads.add({ ...announced, batchId: id, name: parseName("a") }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    });

    test("leaves to others as many batches and uploads as one client may not have", async () => {
      const { catalog, uploads } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("in"));
      const link = await drop((await folderAt(catalog, "in")).id);
      const start = (client: string, maxOpen: number): Promise<string> =>
        uploads.addBatch(
          { maker: visitor(link) },
          { maxOpen, visitor: { client, passwordVersion: 0 } },
        );
      const one = await start("one", 20);
      await uploads.seal(one, ["a"]);
      const empty = await start("one", 20);
      const other = await start("two", 20);
      // Two of each client, and three in all.
      await start("one", 20);
      expect(await catalog.batchById(empty)).toBeUndefined();
      await uploads.seal(other, ["a"]);
      await start("three", 3);
      expect(await catalog.batchById(other)).toBeDefined();
      const batchId = await start("four", 20);
      const upload = { maker: visitor(link), batchId, folder: parseKey("") };
      const limits = { maxOpen: 20, maxOpenBytes: 1000 };
      await uploads.add({ ...upload, name: parseName("a") }, limits);
      await uploads.add({ ...upload, name: parseName("b") }, limits);
      await expectFault(uploads.add({ ...upload, name: parseName("c") }, limits), "rate_limited");
      await uploads.add({ ...upload, batchId: one, name: parseName("c") }, limits);
    });

    test("cannot be started after the link has ended or got another password", async () => {
      const { catalog, uploads } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("in"));
      const { id: folderId } = await folderAt(catalog, "in");
      const start = (link: LinkRecord, passwordVersion: number): Promise<string> =>
        uploads.addBatch({ maker: visitor(link) }, { visitor: { client: "one", passwordVersion } });
      const link = await drop(folderId);
      await catalog.changeLink({ id: link.id, passwordHash: "one" });
      await expectFault(start(link, 0), "not_found");
      const id = await start(link, 1);
      await catalog.changeLink({ id: link.id, passwordHash: null });
      expect(await catalog.batchById(id)).toBeDefined();
      await catalog.changeLink({ id: link.id, passwordHash: "two" });
      expect(await catalog.batchById(id)).toBeUndefined();
      await catalog.revokeLink(link.id);
      await expectFault(start(link, 3), "not_found");
      await expectFault(start(await drop(folderId, { expiresAt: 9 }), 0), "not_found");
    });

    test("is removed with its uploads when the link is revoked; files that were sent stay", async () => {
      const { catalog, uploads } = parts();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("in"));
      const link = await drop((await folderAt(catalog, "in")).id);
      const other = await drop((await folderAt(catalog, "in")).id);
      const folder = parseKey("in/Ada");
      const sent = await uploads.addBatch({ maker: visitor(link), folder });
      await uploads.seal(sent, ["sent.txt"]);
      await uploads.commit(sent);
      const id = await uploads.addBatch({ maker: visitor(link), folder });
      const [member] = await uploads.seal(id, ["lost.txt"]);
      const open = await uploads.add({ batchId: id, maker: visitor(link), folder: parseKey("") });
      const others = await uploads.addBatch({ maker: visitor(other), folder });
      await catalog.revokeLink(link.id);
      expect(await catalog.batchById(id)).toBeUndefined();
      expect(await catalog.uploadById(open.id)).toBeUndefined();
      expect(await catalog.batchById(others)).toBeDefined();
      await expectCondemned(catalog, [member?.blobId ?? -1, open.blobId]);
      expect(
        await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("in/Ada/sent.txt")),
      ).toBeDefined();
      await expectFault(
        uploads.seal(await uploads.addBatch({ maker: visitor(link) }), ["x"]),
        "not_found",
      );
    });
  });

  test("links are removed long after their end, and with their file or folder", async () => {
    const { catalog, uploader } = parts();
    const file = await uploader.addOne("file.txt");
    const removed = await uploader.addOne("removed.txt");
    const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("folder"));
    const kept = await add({ kind: "file", id: file.id });
    const revoked = await add({ kind: "file", id: file.id });
    await add({ kind: "file", id: file.id }, { expiresAt: 1000 });
    const expired = await add({ kind: "file", id: file.id }, { expiresAt: 3000 });
    await add({ kind: "file", id: removed.id });
    await add({ kind: "folder", id: folder.id });
    const inFolder = await add({ kind: "folder", id: (await folderAt(catalog, "")).id });
    await catalog.revokeLink(revoked.id);
    await catalog.removeFiles(COMMAND_EVERYWHERE, [removed.id]);
    await catalog.removeFolder(COMMAND_EVERYWHERE, folder.id);
    while (await catalog.emptyRemovedFolders(100));
    while (await catalog.removeEndedLinks(2000, 1));
    const left = await catalog.listLinks({ ...all, includesRevoked: true });
    expect(left.map(({ id }) => id)).toEqual([inFolder.id, expired.id, revoked.id, kept.id]);
    while (await catalog.removeEndedLinks(Date.now() + HOUR, 100));
    expect(
      (await catalog.listLinks({ ...all, includesRevoked: true })).map(({ id }) => id),
    ).toEqual([inFolder.id, kept.id]);
  });
}
