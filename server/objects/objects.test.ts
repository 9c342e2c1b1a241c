import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { parseKey } from "../domain/names/name.ts";
import { objectEtag } from "../semantics/s3/object-etag.ts";
import {
  attributesOf,
  chunksOf,
  EVERYONE,
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
      const attributes = {
        get etag(): string {
          throw error;
        },
      };
      expect(await errorOf(fixture.put("bucket/a", content, { attributes }))).toBe(error);
    }
    const huge = Array.from({ length: 70 }, () => Buffer.alloc(1024 ** 2));
    const body = (async function* () {
      yield* huge;
    })();
    const wanted = { body, length: undefined };
    const tooLarge = { kind: "too_large", details: { limit: expect.any(Number) } };
    expect(await errorOf(fixture.put("bucket/a", "", wanted))).toMatchObject(tooLarge);
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
    const copy = await fixture.service.copy(EVERYONE, {
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
    await fixture.service.remove(EVERYONE, [{ key: source.key, isFolder: false }]);
    expect((await fixture.bytesOf("bucket/deep/copy"))?.equals(LARGE)).toBe(true);
    await fixture.expectNoLeaks();
  });

  test("works onto itself, and with an empty object", async () => {
    for (const content of ["", "content"]) {
      const source = await fixture.put("bucket/a", content);
      const copy = await fixture.service.copy(EVERYONE, {
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
    await expectCode(fixture.service.copy(EVERYONE, expected), "NoSuchKey");
    await expectCode(
      fixture.service.copy(EVERYONE, { ...wanted, key: parseKey("nothing/b") }),
      "NoSuchBucket",
    );
    await fixture.service.remove(EVERYONE, [{ key: source.key, isFolder: false }]);
    await fixture.files.storage.removeCondemned();
    await expectCode(
      fixture.service.copy(EVERYONE, { ...wanted, key: parseKey("bucket/b") }),
      "NoSuchKey",
    );
    expect(await fixture.keys()).toEqual([]);
    await fixture.expectNoLeaks();
  });
});

describe("removing objects", () => {
  test("removes their bytes and emptied folders", async () => {
    await fixture.put("bucket/a/b/c", "x");
    await fixture.service.putFolder(EVERYONE, parseKey("bucket/d"));
    expect(await fixture.keys()).toEqual(["bucket/a/b/c", "bucket/d/"]);
    const { removed } = await fixture.service.remove(EVERYONE, [
      { key: parseKey("bucket/a/b/c"), isFolder: false },
      { key: parseKey("bucket/d"), isFolder: true },
      { key: parseKey("bucket/nothing"), isFolder: false },
    ]);
    expect(removed.map(({ key }): string => key)).toEqual(["bucket/a/b/c", "bucket/d"]);
    expect(await fixture.catalog.folderByKey(EVERYONE, parseKey("bucket/a"))).toBeUndefined();
    expect(await fixture.keys()).toEqual([]);
    await fixture.expectNoLeaks();
  });

  test("says what is not as expected", async () => {
    await fixture.put("bucket/a", "x");
    const remove = (path: string, expected?: { etag: string }) =>
      fixture.service.remove(EVERYONE, [
        { key: parseKey(path), isFolder: false, expect: expected },
      ]);
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
    expect(await service.createBucket(EVERYONE, parseKey("another"))).toBe("created");
    expect(await service.createBucket(EVERYONE, parseKey("another"))).toBe("exists");
    await catalog.createFolder(EVERYONE, parseKey("Not a bucket"));
    const names = async () => (await service.listBuckets(EVERYONE)).map(({ name }): string => name);
    expect(await names()).toEqual(["another", "bucket"]);
    expect(await service.bucket(EVERYONE, parseKey("Not a bucket"))).toBeUndefined();
    await fixture.put("another/a", "x");
    await expectCode(service.removeBucket(EVERYONE, parseKey("another")), "BucketNotEmpty");
    await service.remove(EVERYONE, [{ key: parseKey("another/a"), isFolder: false }]);
    await service.removeBucket(EVERYONE, parseKey("another"));
    await expectCode(service.removeBucket(EVERYONE, parseKey("another")), "NoSuchBucket");
    expect(await names()).toEqual(["bucket"]);
  });

  test("conflict with files in the root", async () => {
    const session = await fixture.files.beginUpload(EVERYONE, 0);
    await session.add("file", undefined, chunksOf(Buffer.from("x")));
    await session.commit({});
    await expectCode(
      fixture.service.createBucket(EVERYONE, parseKey("file")),
      "BucketAlreadyExists",
    );
  });
});

describe("a caller that is limited to a folder", () => {
  const all = ["list", "read", "write", "discard", "delete"] as const;

  test("sees the bucket around it, and only what is inside", async () => {
    await fixture.put("bucket/in/a", "x");
    await fixture.put("bucket/out", "x");
    await fixture.service.createBucket(EVERYONE, parseKey("other"));
    const limited = await fixture.callerWith(all, "bucket/in");
    expect((await fixture.service.listBuckets(limited)).map(({ name }): string => name)).toEqual([
      "bucket",
    ]);
    expect((await fixture.service.bucket(limited, parseKey("bucket")))?.name).toBeDefined();
    expect(await fixture.service.bucket(limited, parseKey("other"))).toBeUndefined();
    const request = { prefix: "", after: "", limit: 10 };
    const { entries } = await fixture.service.list(limited, {
      ...request,
      bucket: parseKey("bucket"),
    });
    expect(entries.length).toBe(1);
    await expectCode(
      fixture.service.list(limited, { ...request, bucket: parseKey("other") }),
      "NoSuchBucket",
    );
    expect(await fixture.service.find(limited, parseKey("bucket/out"))).toBeUndefined();
    expect((await fixture.service.find(limited, parseKey("bucket/in/a")))?.size).toBe(1);
  });

  test("writes and removes only inside", async () => {
    await fixture.put("bucket/in/a", "x");
    await fixture.put("bucket/out", "x");
    const limited = await fixture.callerWith(all, "bucket/in");
    await fixture.put("bucket/in/deep/b", "y", {}, limited);
    for (const content of ["y", LARGE]) {
      await expectCode(fixture.put("bucket/out", content, {}, limited), "NoSuchKey");
      await expectCode(fixture.put("other/a", content, {}, limited), "NoSuchBucket");
    }
    await expectCode(fixture.service.putFolder(limited, parseKey("bucket/new")), "NoSuchKey");
    await expectCode(fixture.service.createBucket(limited, parseKey("new")), "AccessDenied");
    await expectCode(fixture.service.removeBucket(limited, parseKey("bucket")), "AccessDenied");
    const key = parseKey("bucket/out");
    expect(await fixture.service.remove(limited, [{ key, isFolder: false }])).toEqual({
      removed: [],
      refused: [],
    });
    const create = { mimeType: undefined, metadata: null, visibility: "private" } as const;
    await expectCode(fixture.service.multipart.create(limited, { ...create, key }), "NoSuchKey");
    const { id } = await fixture.create("bucket/out");
    await expectCode(fixture.service.multipart.find(limited, id, key), "NoSuchUpload");
    await expectCode(fixture.service.multipart.abort(limited, id, key), "NoSuchUpload");
    const list = { bucket: parseKey("bucket"), prefix: "", limit: 9 };
    expect((await fixture.service.multipart.list(limited, list)).entries).toEqual([]);
    expect(await fixture.textOf("bucket/out")).toBe("x");
  });
});
