import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { pattern } from "../../blobs/growing-blobs.suite.ts";
import { parseKey } from "../../domain/names/name.ts";
import { until } from "../../files/files.fixture.ts";
import type { PartRecord } from "../../semantics/s3/multipart.ts";
import type { MultipartPageRequest } from "../object-service.ts";
import {
  EVERYONE,
  expectCode,
  type ObjectsFixture,
  openObjectsFixture,
} from "../objects.fixture.ts";
import { testMultipartUploads } from "./multipart-uploads.suite.ts";

const PART = 5 * 1024 ** 2;
const PATH = "bucket/deep/object";
const content = (number: number, size = PART): Buffer => pattern(size, number);

testMultipartUploads("disk", () => openObjectsFixture());

describe("multipart uploads", () => {
  let fixture: ObjectsFixture;
  beforeEach(async () => {
    fixture = await openObjectsFixture();
  });
  afterEach(() => fixture.end());

  test("copy nothing if the parts have one size", async () => {
    const upload = await fixture.create(PATH);
    const parts: PartRecord[] = [];
    for (const number of [1, 2, 3]) {
      parts.push(
        await fixture.putPart(upload.id, PATH, number, content(number, number < 3 ? PART : 7)),
      );
    }
    const file = await fixture.complete(upload.id, PATH, parts);
    expect(upload.blobId === file.blobId).toBe(true);
    await fixture.expectNoLeaks();
  });

  test("get their SHA-256 after the answer", async () => {
    const { id } = await fixture.create(PATH);
    const parts = [await fixture.putPart(id, PATH, 1, content(1))];
    await fixture.complete(id, PATH, parts);
    const sha256 = createHash("sha256").update(content(1)).digest("hex");
    await until(
      async () => (await fixture.service.find(EVERYONE, parseKey(PATH)))?.sha256 === sha256,
    );
  });

  test("refuse an object whose key is taken, and can still be completed", async () => {
    const { id } = await fixture.create(PATH);
    const parts = [await fixture.putPart(id, PATH, 1, content(1))];
    await fixture.put("bucket/deep", "in the way");
    await expectCode(fixture.complete(id, PATH, parts), "ObjectParentIsFile");
    await fixture.service.remove(EVERYONE, [{ key: parseKey("bucket/deep"), isFolder: false }]);
    await fixture.complete(id, PATH, parts);
    expect((await fixture.bytesOf(PATH))?.equals(content(1))).toBe(true);
  });

  test("need a bucket and a key", async () => {
    await expectCode(fixture.create("nothing/a"), "NoSuchBucket");
    await expectCode(fixture.create("bucket"), "NoSuchBucket");
    await fixture.expectNoLeaks();
  });

  test("are listed with common prefixes, page by page", async () => {
    for (const path of ["a/b/1", "a/b/2", "a/c", "b", "b", "c/d"])
      await fixture.create(`bucket/${path}`);
    const list = async (wanted: Partial<MultipartPageRequest> = {}): Promise<string[]> => {
      const request = { bucket: parseKey("bucket"), prefix: "", limit: 100, ...wanted };
      const { entries } = await fixture.service.multipart.list(EVERYONE, request);
      return entries.map((entry) =>
        entry.kind === "upload" ? entry.upload.key.slice("bucket/".length) : `=${entry.prefix}`,
      );
    };
    expect(await list()).toEqual(["a/b/1", "a/b/2", "a/c", "b", "b", "c/d"]);
    expect(await list({ delimiter: "/" })).toEqual(["=a/", "b", "b", "=c/"]);
    expect(await list({ prefix: "a/", delimiter: "/" })).toEqual(["=a/b/", "a/c"]);
    expect(await list({ delimiter: "/", after: { key: "a/", id: "" } })).toEqual(["b", "b", "=c/"]);
    expect(await list({ after: { key: "b", id: "" } })).toEqual(["c/d"]);
    const page = await fixture.service.multipart.list(EVERYONE, {
      bucket: parseKey("bucket"),
      prefix: "",
      delimiter: "/",
      limit: 2,
    });
    expect(page.more).toBe(true);
    const [, last] = page.entries;
    if (last?.kind !== "upload") throw new Error("It is not an upload.");
    const after = { key: "b", id: last.upload.id };
    expect(await list({ delimiter: "/", after })).toEqual(["b", "=c/"]);
    await expectCode(
      fixture.service.multipart.list(EVERYONE, {
        bucket: parseKey("nothing"),
        prefix: "",
        limit: 1,
      }),
      "NoSuchBucket",
    );
  });
});
