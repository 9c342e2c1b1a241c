import { describe, expect, test } from "bun:test";
import type { Actor } from "../../domain/activity.ts";
import { COMMAND_EVERYWHERE, type SeenBy } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { type NameMatch, nameMatch } from "../../domain/names/name-match.ts";
import type { FileRecord } from "../../domain/records.ts";
import { EXPIRY } from "../../domain/tree-change.ts";
import { endFiles } from "../../files/trash/end-files.ts";
import type { Catalog } from "../port/catalog.ts";
import type { CatalogFixture } from "./catalog.fixture.ts";
import {
  createUploader,
  DAY,
  expectFault,
  folderAt,
  limitedTo,
  listAll,
  recordsFound,
  trashedKeys,
  versionsOf,
} from "./catalog.fixture.ts";
import { readFeed } from "./feed.suite.ts";
import { createObjects } from "./objects.fixture.ts";

const SECONDS_OF_DAY = DAY / 1000;

export function lifetimesSuite(fixture: () => CatalogFixture): void {
  describe("files that end", () => {
    const endOfFile = async (catalog: Catalog, { id }: Pick<FileRecord, "id">) =>
      (await catalog.fileById(COMMAND_EVERYWHERE, id))?.expiresAt;

    test("are missing from every read and change from that moment on, before any job has run", async () => {
      const { catalog, passTime } = fixture();
      const uploader = createUploader(catalog);
      const kept = await uploader.addOne("kept", { folder: "a/b", size: 5 });
      const file = await uploader.addOne("over", { folder: "a/b", size: 7, lifetime: "in 3600" });
      const folder = await folderAt(catalog, "a/b");
      const root = await folderAt(catalog, "");
      const callers: SeenBy[] = [COMMAND_EVERYWHERE, limitedTo([root.id]), limitedTo([folder.id])];
      const { id, key } = file;
      for (const caller of callers) expect(await catalog.fileByKey(caller, key)).toEqual(file);
      expect(await catalog.fileBelow(folder.id, parseKey("over"))).toEqual(file);
      await passTime(3600);

      for (const caller of callers) {
        expect(await catalog.fileById(caller, id)).toBeUndefined();
        expect(await catalog.fileByKey(caller, key)).toBeUndefined();
        for (const filter of [{}, { folderId: folder.id }, { name: parseName("kept") }]) {
          expect(await listAll(catalog, { caller, ...filter })).toEqual([kept]);
          expect(await listAll(catalog, { caller, ...filter }, { limit: 10 })).toEqual([kept]);
          expect(await listAll(catalog, { caller, ...filter }, { offset: 1 })).toEqual([]);
        }
        const search = { match: nameMatch("e") as NameMatch, below: root.key, limit: 10 };
        expect(await recordsFound(catalog.findFiles(caller, search))).toEqual([kept]);
        const order = { orderBy: "size", direction: "DESC" } as const;
        expect(await recordsFound(catalog.rankFiles(caller, { ...search, order }))).toEqual([kept]);
        expect(await Array.fromAsync(catalog.countFoundFiles(caller, search))).toContain(1);
        expect(await catalog.measure(caller, root.key)).toMatchObject({ files: 1, bytes: 5 });
        expect(await catalog.countVisibility(caller, root.key)).toMatchObject({
          files: { public: 1 },
        });
        expect(await catalog.takenName(caller, folder.key, [file.name, kept.name])).toBe(kept.name);
        expect(await versionsOf(catalog, id, caller)).toEqual([]);
      }
      expect(await catalog.measureEach(COMMAND_EVERYWHERE, [folder.id])).toMatchObject([
        { files: 1, bytes: 5 },
      ]);
      const above = await folderAt(catalog, "a");
      const [peeked] = (
        await Array.fromAsync(catalog.listFoldersWithPeek(COMMAND_EVERYWHERE, above.id))
      ).flat();
      expect(peeked?.peek).toEqual([kept]);
      expect(await catalog.fileBelow(folder.id, parseKey("over"))).toBeUndefined();
      expect((await catalog.countFiles("", 100)).types).toEqual([
        { mimeType: "text/plain", files: 1, bytes: 5 },
      ]);
      const rename = { id, name: parseName("again") };
      await expectFault(catalog.changeFile(COMMAND_EVERYWHERE, rename), "not_found");
      const change = { ids: [id], visibility: "private" } as const;
      expect((await catalog.changeFiles(COMMAND_EVERYWHERE, change)).missing).toEqual([id]);
      expect(await catalog.removeFiles(COMMAND_EVERYWHERE, [id])).toEqual([]);
      const trash = { ids: [id], keepMs: DAY };
      expect((await catalog.trashFiles(COMMAND_EVERYWHERE, trash)).files).toEqual([]);
    });

    test("are missing although caches still have them", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("over", { folder: "a", lifetime: "in 1" });
      const folder = await folderAt(catalog, "a");
      const callers = [COMMAND_EVERYWHERE, limitedTo([folder.id])];
      const read = async () => {
        const found: (FileRecord | undefined)[] = [];
        for (const caller of callers) {
          for (let at = 0; at < 3; at += 1) {
            found.push(await catalog.fileByKey(caller, file.key));
            found.push(await catalog.fileBelow(folder.id, parseKey("over")));
            found.push(...(await listAll(catalog, { caller }, { limit: 10 })));
          }
        }
        return found.filter((each) => each !== undefined).length;
      };
      expect(await read()).toBe(18);
      await Bun.sleep(1020);
      expect(await read()).toBe(0);
    });

    test("are missing from lists of objects and for their conditions", async () => {
      const { catalog, passTime } = fixture();
      const objects = createObjects(catalog);
      await objects.fill(["bucket/"]).catch(() => {});
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket"));
      for (let at = 0; at < 20; at += 1) await objects.put(`bucket/a/${10 + at}`);
      await objects.put("bucket/gone/x");
      const ids = (await listAll(catalog)).slice(0, 18).map(({ id }) => id);
      const last = (await listAll(catalog)).filter(({ name }) => name === "x").map(({ id }) => id);
      await catalog.changeFiles(COMMAND_EVERYWHERE, { ids: [...ids, ...last], lifetime: "in 60" });
      await passTime(60);
      const { keys } = await objects.list("bucket");
      expect(keys).toEqual(["a/28", "a/29"]);
      expect((await objects.list("bucket", { delimiter: "/" })).keys).toEqual(["=a/"]);
      const expected = await objects.newObject("bucket/a/10", { expect: "present" });
      await expectFault(catalog.putObject(COMMAND_EVERYWHERE, expected), "not_found");
      const absent = await objects.newObject("bucket/a/10", { expect: "absent" });
      expect(await catalog.putObject(COMMAND_EVERYWHERE, absent)).not.toMatchObject({
        id: ids[0],
      });
    });

    test("do not keep a bucket, whose removal moves them to the trash", async () => {
      const { catalog, passTime } = fixture();
      const objects = createObjects(catalog);
      const bucket = parseKey("bucket");
      await catalog.createFolder(COMMAND_EVERYWHERE, bucket);
      await objects.fill(["bucket/a/over", "bucket/kept"]);
      const over = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("bucket/a/over"));
      const ids = [over?.id ?? ""];
      await catalog.changeFiles(COMMAND_EVERYWHERE, { ids, lifetime: "in 60" });
      await passTime(60);
      await expectFault(catalog.removeBucket(COMMAND_EVERYWHERE, bucket), "conflict");
      await objects.remove(["bucket/kept"]);
      await catalog.removeBucket(COMMAND_EVERYWHERE, bucket);
      expect(await trashedKeys(catalog)).toEqual(["bucket/a/over"]);
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids });
      expect(await catalog.fileById(COMMAND_EVERYWHERE, ids[0] ?? "")).toMatchObject({
        key: parseKey("bucket/a/over"),
        expiresAt: null,
      });
    });

    test("come back if the clock was wrong and is set back", async () => {
      const { catalog, passTime } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("f", { lifetime: "in 60" });
      await passTime(60);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toBeUndefined();
      await passTime(-60);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, file.key)).toEqual(file);
      expect(await listAll(catalog)).toEqual([file]);
    });

    test("move to the trash by a job, with an entry in the feed, and come back without an end", async () => {
      const { catalog, passTime } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("over", { folder: "a", lifetime: "in 60" });
      const later = await uploader.addOne("later", { folder: "a", lifetime: "in 7200" });
      const start = await catalog.feedEnd();
      await endFiles(catalog, 7 * DAY);
      expect(await trashedKeys(catalog)).toEqual([]);
      await passTime(60);
      await endFiles(catalog, 7 * DAY);
      const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 10 });
      expect(items).toMatchObject([{ id: file.id, key: "a/over", deletedBy: EXPIRY }]);
      expect((items[0]?.expiresAt ?? 0) - (items[0]?.deletedAt ?? 0)).toBe(7 * DAY);
      const feed = await readFeed(catalog, start);
      expect(feed).toMatchObject([
        { actor: EXPIRY, change: { kind: "file.deleted", id: file.id, key: "a/over" } },
      ]);
      await endFiles(catalog, 7 * DAY);
      expect(await readFeed(catalog, start)).toHaveLength(1);
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [file.id] });
      expect(await endOfFile(catalog, file)).toBeNull();
      expect(await endOfFile(catalog, later)).not.toBeNull();
    });

    test("end by hundreds, and those of folders in the trash do not", async () => {
      const { catalog, passTime } = fixture();
      const uploader = createUploader(catalog);
      const names = Array.from({ length: 300 }, (_, at) => `${at}`);
      const wanted = { lifetime: "in 60" } as const;
      await uploader.add(names, { folder: "removed", ...wanted });
      await uploader.add(names, { folder: "stays", ...wanted });
      const { id } = await folderAt(catalog, "removed");
      await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
      await passTime(60);
      await endFiles(catalog, DAY);
      const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 1000 });
      expect(items.filter(({ kind }) => kind === "file")).toHaveLength(300);
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [id] });
      expect(await listAll(catalog, { folderId: id })).toHaveLength(300);
    });

    test("that ended before their folder was deleted stay missing when it comes back", async () => {
      const { catalog, passTime } = fixture();
      const uploader = createUploader(catalog);
      const ended = await uploader.addOne("ended", { folder: "a/b", lifetime: "in 60" });
      const later = await uploader.addOne("later", { folder: "a/b", lifetime: "in 3600" });
      const { id } = await folderAt(catalog, "a");
      await passTime(60);
      const start = await catalog.feedEnd();
      // The second time, the file has already come back without being seen.
      for (let deletion = 0; deletion < 2; deletion += 1) {
        await catalog.trashFolder(COMMAND_EVERYWHERE, { id, keepMs: DAY });
        await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [id] });
        expect(await listAll(catalog)).toMatchObject([{ id: later.id, expiresAt: null }]);
        expect(await catalog.fileById(COMMAND_EVERYWHERE, ended.id)).toBeUndefined();
      }
      // Nobody has decided that it lives on, so the name is free and the job still finds it.
      await endFiles(catalog, DAY);
      expect(await trashedKeys(catalog)).toEqual([ended.key]);
      expect((await readFeed(catalog, start)).at(-1)).toMatchObject({
        actor: EXPIRY,
        change: { kind: "file.deleted", id: ended.id },
      });
    });

    test("an upload takes the name of an ended file, which moves to the trash in the same transaction", async () => {
      const { catalog, passTime } = fixture();
      const uploader = createUploader(catalog);
      const first = await uploader.addOne("f", { folder: "a", lifetime: "in 60" });
      await endFiles(catalog, 3 * DAY);
      await passTime(60);
      const start = await catalog.feedEnd();
      const second = await uploader.addOne("f", { folder: "a" });
      expect(second.id).not.toBe(first.id);
      expect(second.expiresAt).toBeNull();
      const { items } = await catalog.listTrash(COMMAND_EVERYWHERE, { limit: 10 });
      expect(items).toMatchObject([{ id: first.id, deletedBy: EXPIRY }]);
      expect((items[0]?.expiresAt ?? 0) - (items[0]?.deletedAt ?? 0)).toBe(3 * DAY);
      expect((await readFeed(catalog, start)).map(({ change }) => change.kind)).toEqual([
        "file.deleted",
        "file.created",
      ]);
    });

    test("every other change takes the name of an ended file too", async () => {
      const { catalog, passTime } = fixture();
      const uploader = createUploader(catalog);
      const names = ["replace", "keepBoth", "skip", "move", "copy", "folder", "rename", "restore"];
      const [, , , , , , , trashed] = await uploader.add(names, { folder: "a" });
      await catalog.trashFiles(COMMAND_EVERYWHERE, { ids: [trashed?.id ?? ""], keepMs: DAY });
      const ids = (await listAll(catalog)).map(({ id }) => id);
      await catalog.changeFiles(COMMAND_EVERYWHERE, { ids, lifetime: "in 60" });
      await uploader.add(["restore"], { folder: "a", lifetime: "in 60" });
      const [move, copy] = await uploader.add(["move", "copy"], { folder: "b" });
      const rename = await uploader.addOne("old", { folder: "b" });
      await passTime(60);
      const a = await folderAt(catalog, "a");
      for (const onConflict of ["replace", "keepBoth", "skip"] as const) {
        const added = await uploader.addOne(onConflict, { folder: "a", onConflict });
        expect(added.key).toBe(parseKey(`a/${onConflict}`));
        expect(ids).not.toContain(added.id);
      }
      await catalog.changeFile(COMMAND_EVERYWHERE, { id: move?.id ?? "", folderId: a.id });
      await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: rename.id,
        folderId: a.id,
        name: parseName("rename"),
      });
      const owner = uploader.owner;
      await catalog.copyFiles(COMMAND_EVERYWHERE, {
        ids: [copy?.id ?? ""],
        folderId: a.id,
        onConflict: "refuse",
        owner,
        blobs: [
          { from: copy?.blobId ?? move?.blobId ?? (a.id as never), to: await uploader.takeBlob() },
        ],
      });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/folder/below"));
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [trashed?.id ?? ""] });
      const keys = (await listAll(catalog, { folderId: a.id })).map(({ key }) => `${key}`).sort();
      expect(keys).toEqual(
        ["copy", "keepBoth", "move", "rename", "replace", "restore", "skip"].map(
          (name) => `a/${name}`,
        ),
      );
      expect(await trashedKeys(catalog)).toHaveLength(8);
    });

    test("a replacement, a move, a copy and a change of the time", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("f", { folder: "a", lifetime: "in 60" });
      expect(file.expiresAt).toBe(file.createdAt + 60_000);
      const replace = { folder: "a", onConflict: "replace" } as const;
      const kept = await uploader.addOne("f", replace);
      expect(kept.expiresAt).toBe(file.expiresAt);
      const again = await uploader.addOne("f", { ...replace, lifetime: "in 3600" });
      expect(again.expiresAt).toBe(again.modifiedAt + 3_600_000);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("b"));
      const b = await folderAt(catalog, "b");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: b.id, expireAfter: 5 });
      const moved = await catalog.changeFile(COMMAND_EVERYWHERE, { id: file.id, folderId: b.id });
      expect(moved.expiresAt).toBe(again.expiresAt);
      const copyOf = async (name: string, lifetime?: "in 9") => {
        const outcome = await catalog.copyFiles(COMMAND_EVERYWHERE, {
          ids: [file.id],
          name: parseName(name),
          onConflict: "refuse",
          owner: uploader.owner,
          lifetime,
          blobs: [{ from: moved.blobId, to: await uploader.takeBlob() }],
        });
        return "copied" in outcome ? outcome.copied[0] : undefined;
      };
      expect((await copyOf("copy"))?.expiresAt).toBeNull();
      const copy = await copyOf("other", "in 9");
      expect(copy?.expiresAt).toBe((copy?.createdAt ?? 0) + 9000);
      const start = await catalog.feedEnd();
      const at = Date.now() + 5 * DAY;
      const changed = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: file.id,
        lifetime: `at ${at}`,
      });
      expect(changed.expiresAt).toBe(at);
      const same = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: file.id,
        lifetime: `at ${at}`,
      });
      expect(same).toEqual(changed);
      const never = await catalog.changeFile(COMMAND_EVERYWHERE, {
        id: file.id,
        lifetime: "never",
      });
      expect(never.expiresAt).toBeNull();
      expect((await readFeed(catalog, start)).map(({ change }) => change.kind)).toEqual([
        "file.updated",
        "file.updated",
      ]);
    });

    test("folders give later files their lifetime, as they give them a visibility", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const before = await uploader.addOne("before", { folder: "a/b/c" });
      const [a, b] = [await folderAt(catalog, "a"), await folderAt(catalog, "a/b")];
      const set = (id: string, expireAfter: number | null) =>
        catalog.changeFolder(COMMAND_EVERYWHERE, { id, expireAfter });
      const lifeIn = async (folder: string) => {
        const file = await uploader.addOne(Bun.randomUUIDv7(), { folder });
        return file.expiresAt === null ? null : (file.expiresAt - file.createdAt) / 1000;
      };
      expect(await set(a.id, 60)).toMatchObject({ expireAfter: 60, inheritedExpireAfter: 60 });
      expect(await lifeIn("a/b/c")).toBe(60);
      expect(await lifeIn("a/new/folders")).toBe(60);
      await set(b.id, 120);
      expect(await lifeIn("a/b/c")).toBe(120);
      await set(b.id, 0);
      expect(await lifeIn("a/b/c")).toBeNull();
      expect(await lifeIn("a")).toBe(60);
      await set(b.id, null);
      expect(await lifeIn("a/b/c")).toBe(60);
      // The default visibility is inherited on its own.
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: b.id, defaultVisibility: "private" });
      expect(await lifeIn("a/b/c")).toBe(60);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("a/b/c"))).toMatchObject({
        inheritedVisibility: "private",
        inheritedExpireAfter: 60,
      });
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("other"));
      const other = await folderAt(catalog, "other");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: b.id, parentId: other.id });
      expect(await lifeIn("other/b/c")).toBeNull();
      expect(await endOfFile(catalog, before)).toBeNull();
      const explicit = await uploader.addOne("explicit", { folder: "a", lifetime: "never" });
      expect(explicit.expiresAt).toBeNull();
      const root = await folderAt(catalog, "");
      await expectFault(set(root.id, 60), "invalid", "root");
    });

    test("a link with deleteAtEnd takes what it leads to with it, but not when it is revoked or prolonged", async () => {
      const { catalog, passTime } = fixture();
      const uploader = createUploader(catalog);
      const file = await uploader.addOne("f");
      await uploader.addOne("inside", { folder: "in" });
      const kept = await uploader.addOne("kept");
      const folder = await folderAt(catalog, "in");
      const add = async (subject: { kind: "file" | "folder"; id: string }) => {
        const id = Bun.randomUUIDv7();
        await catalog.addLink({
          ...{ id, tokenHash: id, kind: "read", subject, title: null, maker: EXPIRY },
          ...{ passwordHash: null, passwordVersion: 0, usesLeft: null, visits: 0 },
          ...{ downloadOnly: false, maxBytes: null, maxFiles: null, lifetime: null },
          ...{ createdAt: 5, revokedAt: null, deleteAtEnd: true, expiresAt: Date.now() + 60_000 },
        });
        return id;
      };
      await add({ kind: "file", id: file.id });
      await add({ kind: "folder", id: folder.id });
      const revoked = await add({ kind: "file", id: kept.id });
      await catalog.revokeLink(revoked);
      const prolonged = await add({ kind: "file", id: kept.id });
      await catalog.changeLink({ id: prolonged, expiresAt: Date.now() + DAY });
      await endFiles(catalog, DAY);
      expect(await trashedKeys(catalog)).toEqual([]);
      await passTime(60);
      await endFiles(catalog, DAY);
      expect((await trashedKeys(catalog)).sort()).toEqual(["f", "in"]);
      expect(await listAll(catalog)).toEqual([kept]);
      await catalog.restoreTrash(COMMAND_EVERYWHERE, { ids: [file.id, folder.id] });
      await endFiles(catalog, DAY);
      expect(await listAll(catalog)).toHaveLength(3);
    });

    test("a link with deleteAtEnd deletes only what its maker could delete then", async () => {
      const { catalog, passTime } = fixture();
      const uploader = createUploader(catalog);
      const [inside, moved] = await uploader.add(["inside", "moved"], { folder: "own" });
      const [ofRevoked, ofExpired] = await uploader.add(["revoked", "expired"], { folder: "own" });
      await uploader.addOne("f", { folder: "own/gone" });
      const own = await folderAt(catalog, "own");
      const gone = await folderAt(catalog, "own/gone");
      const end = Date.now() + 60_000;
      const keyWith = async (wanted: Partial<Parameters<Catalog["addApiKey"]>[0]> = {}) => {
        const id = Bun.randomUUIDv7();
        await catalog.addApiKey({
          ...{ id, hash: id, name: id, prefix: "hd_", createdAt: 5, expiresAt: null },
          ...{ actions: ["delete", "share"], folder: { id: own.id }, parentId: null },
          lastUsedAt: null,
          ...wanted,
        });
        return { kind: "key", id, name: id } as const;
      };
      const add = async (maker: Actor, kind: "file" | "folder", subjectId = "") => {
        const id = Bun.randomUUIDv7();
        await catalog.addLink({
          ...{ id, tokenHash: id, kind: "read", title: null, maker, createdAt: 5 },
          ...{ subject: { kind, id: subjectId }, passwordHash: null, passwordVersion: 0 },
          ...{ usesLeft: null, visits: 0, downloadOnly: false, maxBytes: null, maxFiles: null },
          ...{ lifetime: null, revokedAt: null, deleteAtEnd: true, expiresAt: end },
        });
      };
      const key = await keyWith();
      for (const file of [inside, moved]) await add(key, "file", file?.id);
      for (const folder of [gone, own]) await add(key, "folder", folder.id);
      const revoked = await keyWith();
      await add(revoked, "file", ofRevoked?.id);
      await add(await keyWith({ expiresAt: end - 60_001 }), "file", ofExpired?.id);
      await catalog.removeApiKey({ id: revoked.id });
      const root = await folderAt(catalog, "");
      const out = [gone, moved].map((each) => each?.id ?? "");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: out[0] ?? "", parentId: root.id });
      await catalog.changeFile(COMMAND_EVERYWHERE, { id: out[1] ?? "", folderId: root.id });
      await passTime(60);
      await endFiles(catalog, DAY);
      expect(await trashedKeys(catalog)).toEqual(["own/inside"]);
    });

    test("an end far away is stored as it is", async () => {
      const { catalog } = fixture();
      const uploader = createUploader(catalog);
      const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
      const file = await uploader.addOne("f", { lifetime: `at ${last}` });
      expect(await endOfFile(catalog, file)).toBe(last);
      const longest = await uploader.addOne("g", { lifetime: `in ${SECONDS_OF_DAY * 9_999_999}` });
      expect(await endOfFile(catalog, longest)).toBe(last);
    });
  });
}
