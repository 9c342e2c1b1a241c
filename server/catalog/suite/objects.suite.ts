import { describe, expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { objectEtag } from "../../semantics/s3/object-etag.ts";
import type { Catalog } from "../port/catalog.ts";
import type { ObjectToRemove } from "../port/objects.ts";
import {
  allKeys,
  type CatalogFixture,
  expectFault,
  folderAt,
  limitedTo,
} from "./catalog.fixture.ts";
import { createObjects, etagOf, metadataOf } from "./objects.fixture.ts";
import { expectCondemned } from "./uploads.fixture.ts";

async function feedAfter(
  catalog: Catalog,
  work: () => Promise<unknown>,
): Promise<TreeChange["kind"][]> {
  const before = await catalog.feedEnd();
  await work();
  const entries = await catalog.changesAfter(before, 1000);
  return entries.map(({ change }) => change.kind);
}

export function objectsSuite(fixture: () => CatalogFixture): void {
  describe("objects", () => {
    async function openBucket() {
      const { catalog } = fixture();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket"));
      return { catalog, objects: createObjects(catalog) };
    }

    test("are files in folders that they bring along", async () => {
      const { catalog, objects } = await openBucket();
      const kinds = await feedAfter(catalog, () => objects.put("bucket/a/b/c.txt"));
      expect(kinds).toEqual(["folder.created", "folder.created", "file.created"]);
      const file = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("bucket/a/b/c.txt"));
      expect(file).toMatchObject({ visibility: "private", size: 3, metadata: null });
      expect(file && objectEtag(file)).toBe(etagOf("bucket/a/b/c.txt"));
    });

    test("replace wholly, and keep only the id", async () => {
      const { catalog, objects } = await openBucket();
      const metadata = metadataOf({ "x-amz-meta-a": "1" });
      const first = await objects.put("bucket/file", { metadata, visibility: "public" });
      const kinds = await feedAfter(catalog, () => objects.put("bucket/file"));
      expect(kinds).toEqual(["file.replaced"]);
      const file = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("bucket/file"));
      expect(file).toMatchObject({ id: first.id, metadata: null, visibility: "private" });
      expect(file?.blobId).not.toBe(first.blobId);
      await expectCondemned(catalog, [first.blobId]);
    });

    test("lose their ETag with new content from elsewhere, and get one that is not an MD5", async () => {
      const { objects } = await openBucket();
      const put = await objects.put("bucket/file");
      const added = await objects.uploader.addOne("file", {
        folder: "bucket",
        onConflict: "replace",
      });
      expect(added).toMatchObject({ id: put.id, s3: null });
      expect(objectEtag(added)).toMatch(/^[0-9a-f]{32}-1$/);
    });

    test("need a bucket", async () => {
      const { catalog, objects } = await openBucket();
      await expectFault(objects.put("nothing/file"), "not_found");
      await expectFault(objects.putFolder("nothing/folder"), "not_found");
      await expectFault(objects.put("file"), "not_found");
      await expectFault(objects.putFolder("bucket"), "invalid");
      expect(await allKeys(catalog)).toEqual([]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("nothing"))).toBeUndefined();
    });

    test("conflict with folders and files of the same key", async () => {
      const { objects } = await openBucket();
      await objects.fill(["bucket/file", "bucket/folder/file"]);
      await expectFault(objects.put("bucket/folder"), "conflict");
      await expectFault(objects.put("bucket/file/below"), "conflict");
      await expectFault(objects.put("bucket/file/far/below"), "conflict");
      await expectFault(objects.putFolder("bucket/file/"), "conflict");
    });

    test("are put only if what is there is as expected", async () => {
      const { catalog, objects } = await openBucket();
      await expectFault(objects.put("bucket/a/f", { expect: { etag: "x" } }), "not_found");
      await expectFault(objects.put("bucket/a/f", { expect: "present" }), "not_found");
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/a"))).toBeUndefined();
      await objects.put("bucket/a/f", { expect: "absent" });
      const refused = objects.put("bucket/a/f", { expect: "absent" });
      await expectFault(refused, "precondition_failed");
      const other = objects.put("bucket/a/f", { expect: { etag: "x" } });
      await expectFault(other, "precondition_failed");
      await objects.put("bucket/a/f", { expect: "present" });
      await objects.put("bucket/a/f", { expect: { etag: etagOf("bucket/a/f") } });
    });

    test("exactly one of many conditional puts succeeds", async () => {
      const { catalog, objects } = await openBucket();
      const puts = await Promise.allSettled(
        Array.from({ length: 64 }, () => objects.put("bucket/new/key", { expect: "absent" })),
      );
      expect(puts.filter(({ status }) => status === "fulfilled").length).toBe(1);
      const file = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("bucket/new/key"));
      const expect_ = { etag: etagOf("bucket/new/key") };
      const s3 = '{"etag":"new"}';
      const wanted = await Promise.all(
        Array.from({ length: 64 }, () => objects.newObject("bucket/new/key", { expect: expect_ })),
      );
      const replacing = await Promise.allSettled(
        wanted.map((object) =>
          catalog.putObject(COMMAND_EVERYWHERE, {
            ...object,
            file: { ...object.file, s3: s3 as typeof object.file.s3 },
          }),
        ),
      );
      expect(replacing.filter(({ status }) => status === "fulfilled").length).toBe(1);
      const after = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("bucket/new/key"));
      expect(after?.id).toBe(file?.id ?? "");
      expect(after && objectEtag(after)).toBe("new");
    });

    test("are put only within the limits", async () => {
      const { catalog, objects } = await openBucket();
      await objects.fill(["bucket/in/file", "bucket/out/file"]);
      const caller = limitedTo([(await folderAt(catalog, "bucket/in")).id]);
      await objects.put("bucket/in/deep/er", { caller });
      await expectFault(objects.put("bucket/out/file", { caller }), "not_found");
      await expectFault(objects.put("bucket/new/file", { caller }), "not_found");
      const key = parseKey("bucket/out/folder");
      await expectFault(catalog.putFolderObject(caller, { key }), "not_found");
    });

    test("take the implicit folders with them that they leave empty", async () => {
      const { catalog, objects } = await openBucket();
      await objects.fill(["bucket/a/b/c/one", "bucket/a/b/c/two", "bucket/x/keep", "bucket/x/y/z"]);
      await objects.remove(["bucket/a/b/c/one"]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/a/b/c"))).toBeDefined();
      const kinds = await feedAfter(catalog, () =>
        objects.remove(["bucket/a/b/c/two", "bucket/x/y/z", "bucket/nothing", "bucket/no/thing"]),
      );
      expect(kinds.filter((kind) => kind === "file.deleted").length).toBe(2);
      expect(kinds.filter((kind) => kind === "folder.deleted").length).toBe(4);
      expect(kinds.length).toBe(6);
      for (const gone of ["bucket/a", "bucket/x/y"]) {
        expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(gone))).toBeUndefined();
      }
      await objects.remove(["bucket/x/keep"]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/x"))).toBeUndefined();
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket"))).toBeDefined();
      expect((await catalog.condemnedBlobs(10)).length).toBe(4);
    });

    test("leave a folder that a put made and that was renamed or moved since", async () => {
      const { catalog, objects } = await openBucket();
      await objects.fill(["bucket/a/one", "bucket/b/two"]);
      const a = await folderAt(catalog, "bucket/a");
      const b = await folderAt(catalog, "bucket/b");
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: a.id, name: parseName("renamed") });
      await catalog.changeFolder(COMMAND_EVERYWHERE, { id: b.id, parentId: a.id });
      await objects.remove(["bucket/renamed/b/two"]);
      expect((await objects.list("bucket")).keys).toEqual(["renamed/b/", "renamed/one"]);
      await objects.remove(["bucket/renamed/one"]);
      expect(await catalog.folderById(COMMAND_EVERYWHERE, b.id)).toMatchObject({
        key: "bucket/renamed/b",
      });
    });

    test("are removed together with all folders that they empty together", async () => {
      const { catalog, objects } = await openBucket();
      const paths = Array.from({ length: 300 }, (_, at) => `bucket/t/${at % 7}/${at % 3}/${at}`);
      await objects.fill(paths);
      const removed = await objects.remove(paths);
      expect(removed.map(({ key }): string => key)).toEqual(paths);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/t"))).toBeUndefined();
      expect(await objects.remove(paths)).toEqual([]);
    });

    test("that are named twice are removed once, and leave the folder of others", async () => {
      const { catalog, objects } = await openBucket();
      await objects.fill(["bucket/a/one", "bucket/a/two"]);
      await objects.remove(["bucket/a/one", "bucket/a/one"]);
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("bucket/a/one"))).toBeUndefined();
      expect(await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("bucket/a/two"))).toBeDefined();
      await objects.remove(["bucket/a/two", "bucket/a/two"]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/a"))).toBeUndefined();
    });

    test("leave explicit folders, and those with an API key, a new name or a new place", async () => {
      const { catalog, objects } = await openBucket();
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket/explicit"));
      await objects.fill(["bucket/explicit/f", "bucket/key/f", "bucket/old/f", "bucket/moved/f"]);
      await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id: (await folderAt(catalog, "bucket/old")).id,
        name: parseName("new"),
      });
      await catalog.changeFolder(COMMAND_EVERYWHERE, {
        id: (await folderAt(catalog, "bucket/moved")).id,
        parentId: (await folderAt(catalog, "bucket/explicit")).id,
      });
      await catalog.addApiKey({
        id: "1",
        hash: "h",
        name: "n",
        prefix: "p",
        createdAt: 1,
        lastUsedAt: null,
        expiresAt: null,
        actions: ["write"],
        parentId: null,
        folder: { key: parseKey("bucket/key") },
      });
      const paths = ["explicit/f", "key/f", "new/f", "explicit/moved/f"];
      await objects.remove(paths.map((path) => `bucket/${path}`));
      for (const kept of ["explicit", "key", "new", "explicit/moved"]) {
        expect(
          await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey(`bucket/${kept}`)),
        ).toBeDefined();
      }
    });

    test("are removed only within the limits, and without the folder that limits", async () => {
      const { catalog, objects } = await openBucket();
      await objects.fill(["bucket/in/deep/file", "bucket/out/file"]);
      const caller = limitedTo([(await folderAt(catalog, "bucket/in")).id]);
      const removed = await objects.remove(["bucket/in/deep/file", "bucket/out/file"], { caller });
      expect(removed.map(({ key }): string => key)).toEqual(["bucket/in/deep/file"]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/in"))).toBeDefined();
      expect(
        await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/in/deep")),
      ).toBeUndefined();
      expect(await allKeys(catalog)).toEqual(["bucket/out/file"]);
    });

    test("are removed only if they are as expected, each for itself", async () => {
      const { catalog, objects } = await openBucket();
      const { modifiedAt } = await objects.put("bucket/in/a");
      await objects.fill(["bucket/in/b", "bucket/c", "bucket/d/"]);
      const seconds = Math.floor(modifiedAt / 1000) * 1000;
      const object = (path: string, expect_: ObjectToRemove["expect"]) => ({
        key: parseKey(path),
        isFolder: path.endsWith("/"),
        expect: expect_,
      });
      const etag = etagOf("bucket/in/a");
      const { removed, refused } = await catalog.removeObjects(COMMAND_EVERYWHERE, {
        objects: [
          object("bucket/in/a", { etag, size: 3, modifiedAt: seconds }),
          object("bucket/in/b", { etag }),
          object("bucket/in/b", { size: 4 }),
          object("bucket/in/b", { size: 3, modifiedAt: seconds - 1000 }),
          object("bucket/c", { etag: etagOf("bucket/c") }),
          object("bucket/d/", { size: 1 }),
          object("bucket/absent", { etag, size: 1, modifiedAt: 0 }),
        ],
      });
      expect(removed.map(({ key }): string => key)).toEqual(["bucket/in/a", "bucket/c"]);
      expect(refused).toEqual([1, 2, 3, 5]);
      expect(await allKeys(catalog)).toEqual(["bucket/in/b"]);
      expect(await catalog.explicitFolder(COMMAND_EVERYWHERE, parseKey("bucket/d"))).toBeDefined();
    });

    test("no implicit folder stays empty after concurrent removals and puts", async () => {
      const { catalog, objects } = await openBucket();
      for (let round = 0; round < 5; round += 1) {
        const paths = Array.from({ length: 12 }, (_, at) => `bucket/r/${at % 2}/${at}`);
        await objects.fill(paths);
        await Promise.all([
          ...paths.map((path) => objects.remove([path])),
          objects.put(`bucket/r/0/new${round}`),
        ]);
        await objects.remove([`bucket/r/0/new${round}`]);
        expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/r"))).toBeUndefined();
      }
      expect(await Array.fromAsync(catalog.inspect())).toEqual([]);
    });
  });

  describe("folders as objects", () => {
    test("become explicit and implicit again", async () => {
      const { catalog } = fixture();
      const objects = createObjects(catalog);
      await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket"));
      const folder = await objects.putFolder("bucket/a/b/");
      expect((await objects.putFolder("bucket/a/b/")).id).toBe(folder.id);
      await objects.put("bucket/a/b/file");
      await objects.remove(["bucket/a/b/file"]);
      expect((await objects.list("bucket")).keys).toEqual(["a/b/"]);
      await objects.put("bucket/a/b/file");
      await objects.remove(["bucket/a/b/"]);
      expect((await objects.list("bucket")).keys).toEqual(["a/b/file"]);
      await objects.remove(["bucket/a/b/file"]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/a"))).toBeUndefined();
      await objects.putFolder("bucket/a/b/");
      await objects.remove(["bucket/a/b/"]);
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("bucket/a"))).toBeUndefined();
      expect(await objects.remove(["bucket/a/b/"])).toEqual([]);
    });
  });

  describe("buckets", () => {
    test("are removed if they have no objects", async () => {
      const { catalog } = fixture();
      const objects = createObjects(catalog);
      const key = parseKey("bucket");
      await catalog.createFolder(COMMAND_EVERYWHERE, key);
      await objects.fill(["bucket/a/file"]);
      await expectFault(catalog.removeBucket(COMMAND_EVERYWHERE, key), "conflict");
      const file = await catalog.fileByKey(COMMAND_EVERYWHERE, parseKey("bucket/a/file"));
      await catalog.removeFiles(COMMAND_EVERYWHERE, [file?.id ?? ""]);
      await objects.putFolder("bucket/b/");
      await expectFault(catalog.removeBucket(COMMAND_EVERYWHERE, key), "conflict");
      await objects.remove(["bucket/b/"]);
      expect(await feedAfter(catalog, () => catalog.removeBucket(COMMAND_EVERYWHERE, key))).toEqual(
        ["folder.deleted"],
      );
      expect(await catalog.folderByKey(COMMAND_EVERYWHERE, key)).toBeUndefined();
      await expectFault(catalog.removeBucket(COMMAND_EVERYWHERE, key), "not_found");
    });

    test("are top-level folders within the limits", async () => {
      const { catalog } = fixture();
      const folder = await catalog.createFolder(COMMAND_EVERYWHERE, parseKey("bucket/a"));
      for (const key of ["", "bucket/a"].map(parseKey)) {
        await expectFault(catalog.removeBucket(COMMAND_EVERYWHERE, key), "not_found");
      }
      const key = parseKey("bucket");
      await expectFault(catalog.removeBucket(limitedTo([folder.id]), key), "not_found");
      await catalog.removeFolder(COMMAND_EVERYWHERE, folder.id);
      const bucket = await folderAt(catalog, "bucket");
      await expectFault(catalog.removeBucket(limitedTo([bucket.id]), key), "forbidden");
    });
  });
}
