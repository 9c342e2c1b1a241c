import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { parseKey } from "../domain/names/name.ts";
import { objectEtag } from "../semantics/s3/object-etag.ts";
import {
  attributesOf,
  chunksOf,
  errorOf,
  expectCode,
  failing,
  md5Of,
  type ObjectsFixture,
  openObjectsFixture,
} from "./objects.fixture.ts";

let fixture: ObjectsFixture;
beforeEach(async () => {
  fixture = await openObjectsFixture();
});
afterEach(() => fixture.end());

const LARGE = Buffer.alloc(700_000, "large");

describe("putting an object", () => {
  test("stores its bytes with all sums, type and ETag", async () => {
    for (const content of ["", "small", LARGE]) {
      const file = await fixture.put("bucket/a/b", content, { mimeType: "x/y" });
      const bytes = Buffer.from(content);
      expect(file).toMatchObject({
        key: "bucket/a/b",
        size: bytes.length,
        mimeType: "x/y",
        visibility: "private",
        sha256: createHash("sha256").update(bytes).digest("hex"),
      });
      expect(objectEtag(file)).toBe(md5Of(bytes));
      expect((await fixture.bytesOf("bucket/a/b"))?.equals(bytes)).toBe(true);
    }
    await fixture.expectNoLeaks();
  });

  test("takes an unknown length", async () => {
    await fixture.put("bucket/a", LARGE, { length: undefined });
    expect((await fixture.bytesOf("bucket/a"))?.equals(LARGE)).toBe(true);
  });

  test("stores nothing when the body or the attributes fail, or it is too large", async () => {
    const error = new Error("broken");
    for (const content of [Buffer.from("small"), LARGE]) {
      const body = failing(content, error);
      expect(await errorOf(fixture.put("bucket/a", content, { body }))).toBe(error);
      const attributes = () => {
        throw error;
      };
      expect(await errorOf(fixture.put("bucket/a", content, { attributes }))).toBe(error);
    }
    const huge = Array.from({ length: 70 }, () => Buffer.alloc(1024 ** 2));
    const body = (async function* () {
      yield* huge;
    })();
    const wanted = { body, length: undefined };
    expect(await errorOf(fixture.put("bucket/a", "", wanted))).toMatchObject({ kind: "too_large" });
    expect(await fixture.keys()).toEqual([]);
    await fixture.expectNoLeaks();
  });

  test.each([
    ["small", Buffer.from("small")],
    ["large", LARGE],
  ])("says what stands in the way of a %s one", async (_, content) => {
    await expectCode(fixture.put("nothing/a", content), "NoSuchBucket");
    await expectCode(fixture.put("Bad_Name/a", content), "NoSuchBucket");
    await expectCode(fixture.put("bucket", content), "NoSuchBucket");
    await fixture.put("bucket/file", "x");
    await fixture.put("bucket/folder/file", "x");
    await expectCode(fixture.put("bucket/file/a", content), "ObjectParentIsFile");
    await expectCode(fixture.put("bucket/folder", content), "ExistingObjectIsDirectory");
    await expectCode(fixture.put("bucket/a", content, { expect: "present" }), "NoSuchKey");
    const absent = { expect: "absent" } as const;
    await expectCode(fixture.put("bucket/file", content, absent), "PreconditionFailed");
    const other = { expect: { etag: "other" } };
    await expectCode(fixture.put("bucket/file", content, other), "PreconditionFailed");
    const etag = { expect: { etag: md5Of(Buffer.from("x")) } };
    await fixture.put("bucket/file", content, etag);
    await fixture.expectNoLeaks();
  });
});

describe("copying an object", () => {
  test("keeps the content, and takes the properties given", async () => {
    const source = await fixture.put("bucket/source", LARGE);
    const copy = await fixture.service.copy({
      source,
      key: parseKey("bucket/deep/copy"),
      mimeType: "c/d",
      metadata: null,
      visibility: "public",
      attributes: attributesOf(LARGE),
    });
    expect(copy).toMatchObject({
      size: source.size,
      checksum: source.checksum,
      sha256: source.sha256,
      mimeType: "c/d",
      visibility: "public",
      s3: source.s3,
    });
    await fixture.service.remove([{ key: source.key, isFolder: false }]);
    expect((await fixture.bytesOf("bucket/deep/copy"))?.equals(LARGE)).toBe(true);
    await fixture.expectNoLeaks();
  });

  test("works onto itself, and with an empty object", async () => {
    for (const content of ["", "content"]) {
      const source = await fixture.put("bucket/a", content);
      const copy = await fixture.service.copy({
        source,
        key: source.key,
        mimeType: undefined,
        metadata: null,
        visibility: "private",
        attributes: attributesOf(Buffer.from(content)),
      });
      expect(copy.id).toBe(source.id);
      expect(await fixture.textOf("bucket/a")).toBe(content);
    }
    await fixture.expectNoLeaks();
  });

  test("of one that is gone fails, as does a refused one", async () => {
    const source = await fixture.put("bucket/a", "content");
    const wanted = {
      source,
      mimeType: undefined,
      metadata: null,
      visibility: "private" as const,
      attributes: attributesOf(Buffer.from("content")),
    };
    const expected = { ...wanted, key: parseKey("bucket/b"), expect: "present" } as const;
    await expectCode(fixture.service.copy(expected), "NoSuchKey");
    await expectCode(
      fixture.service.copy({ ...wanted, key: parseKey("nothing/b") }),
      "NoSuchBucket",
    );
    await fixture.service.remove([{ key: source.key, isFolder: false }]);
    await fixture.files.storage.removeCondemned();
    await expectCode(fixture.service.copy({ ...wanted, key: parseKey("bucket/b") }), "NoSuchKey");
    expect(await fixture.keys()).toEqual([]);
    await fixture.expectNoLeaks();
  });
});

describe("removing objects", () => {
  test("removes their bytes and emptied folders", async () => {
    await fixture.put("bucket/a/b/c", "x");
    await fixture.service.putFolder(parseKey("bucket/d"));
    expect(await fixture.keys()).toEqual(["bucket/a/b/c", "bucket/d/"]);
    const { removed } = await fixture.service.remove([
      { key: parseKey("bucket/a/b/c"), isFolder: false },
      { key: parseKey("bucket/d"), isFolder: true },
      { key: parseKey("bucket/nothing"), isFolder: false },
    ]);
    expect(removed.map(({ key }): string => key)).toEqual(["bucket/a/b/c", "bucket/d"]);
    expect(await fixture.catalog.folderByKey(parseKey("bucket/a"))).toBeUndefined();
    expect(await fixture.keys()).toEqual([]);
    await fixture.expectNoLeaks();
  });

  test("says what is not as expected", async () => {
    await fixture.put("bucket/a", "x");
    const remove = (path: string, expected?: { etag: string }) =>
      fixture.service.remove([{ key: parseKey(path), isFolder: false, expect: expected }]);
    await expectCode(remove("nothing/a"), "NoSuchBucket");
    expect(await remove("bucket/a", { etag: "other" })).toEqual({ removed: [], refused: [0] });
    expect(await remove("bucket/b", { etag: "other" })).toEqual({ removed: [], refused: [] });
    expect((await remove("bucket/a", { etag: md5Of(Buffer.from("x")) })).refused).toEqual([]);
    expect(await fixture.keys()).toEqual([]);
  });
});

describe("buckets", () => {
  test("are made, listed and removed", async () => {
    const { service, catalog } = fixture;
    expect(await service.createBucket(parseKey("another"))).toBe("created");
    expect(await service.createBucket(parseKey("another"))).toBe("exists");
    await catalog.createFolder(parseKey("Not a bucket"));
    const names = async () => (await service.listBuckets()).map(({ name }): string => name);
    expect(await names()).toEqual(["another", "bucket"]);
    expect(await service.bucket(parseKey("Not a bucket"))).toBeUndefined();
    await fixture.put("another/a", "x");
    await expectCode(service.removeBucket(parseKey("another")), "BucketNotEmpty");
    await service.remove([{ key: parseKey("another/a"), isFolder: false }]);
    await service.removeBucket(parseKey("another"));
    await expectCode(service.removeBucket(parseKey("another")), "NoSuchBucket");
    expect(await names()).toEqual(["bucket"]);
  });

  test("conflict with files in the root", async () => {
    const session = await fixture.files.beginUpload(0);
    await session.add("file", undefined, chunksOf(Buffer.from("x")));
    await session.commit({});
    await expectCode(fixture.service.createBucket(parseKey("file")), "BucketAlreadyExists");
  });
});

describe("a caller that is limited to a folder", () => {
  const all = ["list", "read", "write", "delete"] as const;

  test("sees the bucket around it, and only what is inside", async () => {
    await fixture.put("bucket/in/a", "x");
    await fixture.put("bucket/out", "x");
    await fixture.service.createBucket(parseKey("other"));
    const limited = await fixture.scopeOf(all, "bucket/in");
    expect((await limited.listBuckets()).map(({ name }): string => name)).toEqual(["bucket"]);
    expect((await limited.bucket(parseKey("bucket")))?.name).toBeDefined();
    expect(await limited.bucket(parseKey("other"))).toBeUndefined();
    const request = { prefix: "", after: "", limit: 10 };
    const { entries } = await limited.list({ ...request, bucket: parseKey("bucket") });
    expect(entries.length).toBe(1);
    await expectCode(limited.list({ ...request, bucket: parseKey("other") }), "NoSuchBucket");
    expect(await limited.find(parseKey("bucket/out"), "read")).toBeUndefined();
    expect((await limited.find(parseKey("bucket/in/a"), "read"))?.size).toBe(1);
  });

  test("writes and removes only inside", async () => {
    await fixture.put("bucket/in/a", "x");
    await fixture.put("bucket/out", "x");
    const limited = await fixture.scopeOf(all, "bucket/in");
    await fixture.put("bucket/in/deep/b", "y", {}, limited);
    for (const content of ["y", LARGE]) {
      await expectCode(fixture.put("bucket/out", content, {}, limited), "NoSuchKey");
      await expectCode(fixture.put("other/a", content, {}, limited), "NoSuchBucket");
    }
    await expectCode(limited.putFolder(parseKey("bucket/new")), "NoSuchKey");
    await expectCode(limited.createBucket(parseKey("new")), "AccessDenied");
    await expectCode(limited.removeBucket(parseKey("bucket")), "AccessDenied");
    const key = parseKey("bucket/out");
    expect(await limited.remove([{ key, isFolder: false }])).toEqual({ removed: [], refused: [] });
    const create = { mimeType: undefined, metadata: null, visibility: "private" } as const;
    await expectCode(limited.multipart.create({ ...create, key }), "NoSuchKey");
    const { id } = await fixture.create("bucket/out");
    await expectCode(limited.multipart.find(id, key), "NoSuchUpload");
    await expectCode(limited.multipart.abort(id, key), "NoSuchUpload");
    const list = { bucket: parseKey("bucket"), prefix: "", limit: 9 };
    expect((await limited.multipart.list(list)).entries).toEqual([]);
    expect(await fixture.textOf("bucket/out")).toBe("x");
  });
});

describe("a caller without an action", () => {
  test("is refused on what it may know of", async () => {
    const file = await fixture.put("bucket/a", "x");
    const key = file.key;
    const { id } = await fixture.create("bucket/a");
    const none = await fixture.scopeOf([]);
    const refused = { kind: "forbidden" };
    const bucket = parseKey("bucket");
    const properties = { key, mimeType: undefined, metadata: null, visibility: "private" } as const;
    const attributes = attributesOf(Buffer.from("x"));
    const attempts: (() => Promise<unknown>)[] = [
      () => none.listBuckets(),
      () => none.createBucket(parseKey("new")),
      () => none.removeBucket(bucket),
      () => none.list({ bucket, prefix: "", after: "", limit: 1 }),
      () => none.find(key, "read"),
      () => fixture.put("bucket/a", "y", {}, none),
      () => none.putFolder(parseKey("bucket/b")),
      () => none.copy({ ...properties, source: file, attributes }),
      () => none.remove([{ key, isFolder: false }]),
      () => none.multipart.create(properties),
      () => none.multipart.parts(id, key, 0, 1),
      () => none.multipart.abort(id, key),
      () => none.multipart.list({ bucket, prefix: "", limit: 1 }),
      () => none.multipart.complete({ id, key, parts: [], attributes }),
      () =>
        none.multipart.putPart({
          id,
          key,
          number: 1,
          length: 1,
          body: chunksOf(Buffer.from("x")),
          sums: () => ({ md5: "", checksums: {} }),
        }),
    ];
    for (const attempt of attempts) expect(await errorOf(attempt())).toMatchObject(refused);
    expect(await none.find(parseKey("bucket/nothing"), "read")).toBeUndefined();
    expect(await fixture.textOf("bucket/a")).toBe("x");
  });
});
