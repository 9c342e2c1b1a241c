import { describe, expect, test } from "bun:test";
import { parseName } from "../../domain/names/name.ts";
import type { BlobId, FileRecord, Key, MetadataText } from "../../domain/records.ts";
import { type S3Attributes, writeS3Attributes } from "./attributes.ts";
import { type ObjectRequest, planObject } from "./plan-object.ts";

const MODIFIED = Date.UTC(2026, 0, 31, 9, 30);
const attributes: S3Attributes = {
  etag: "0123456789abcdef0123456789abcdef-3",
  parts: [40, 40, 20],
  checksums: { CRC32: "AAAAAA==" },
  checksumType: "COMPOSITE",
};
const file: FileRecord = {
  id: "1",
  folderId: "2",
  name: parseName("a.bin"),
  key: "b/a.bin" as Key,
  charset: null,
  mimeType: "text/plain",
  size: 100,
  visibility: "private",
  blobId: 7 as BlobId,
  checksum: 0,
  sha256: null,
  metadata: null,
  s3: writeS3Attributes(attributes),
  modifiedAt: MODIFIED,
  createdAt: MODIFIED,
  updatedAt: MODIFIED,
  expiresAt: null,
};
const nothing: ObjectRequest = {
  range: null,
  ifRange: null,
  partNumber: undefined,
  checksums: false,
  countsTags: true,
  overrides: {},
  ifMatch: null,
  ifNoneMatch: null,
  ifModifiedSince: null,
  ifUnmodifiedSince: null,
};
const plan = (request: Partial<ObjectRequest>, of: FileRecord = file) =>
  planObject({ ...nothing, ...request }, of, () => MODIFIED);
const codeOf = (request: Partial<ObjectRequest>) => {
  try {
    return plan(request).status;
  } catch (error) {
    return (error as { s3Code: string }).s3Code;
  }
};

describe("the response with an object", () => {
  test("has validators, the exact type, and no script may run in it", () => {
    const { status, headers, slice } = plan({});
    expect([status, slice]).toEqual([200, undefined]);
    expect(headers).toMatchObject({
      ETag: `"${attributes.etag}"`,
      "Last-Modified": "Sat, 31 Jan 2026 09:30:00 GMT",
      "content-type": "text/plain",
      "Content-Length": "100",
      "Content-Security-Policy": "sandbox",
    });
  });

  test("of a file that was not stored through S3 has an ETag that is not an MD5", () => {
    expect(plan({}, { ...file, s3: null }).headers.ETag).toMatch(/^"[0-9a-f]{32}-1"$/);
  });

  test.each([
    [{ ifMatch: `"${attributes.etag}"` }, 200],
    [{ ifMatch: attributes.etag }, 200],
    [{ ifMatch: '"other"' }, "PreconditionFailed"],
    [{ ifNoneMatch: `"${attributes.etag}"` }, 304],
    [{ ifNoneMatch: '"other"' }, 200],
    [{ ifModifiedSince: "Sat, 31 Jan 2026 09:30:00 GMT" }, 304],
    [{ ifUnmodifiedSince: "Sat, 31 Jan 2026 09:29:59 GMT" }, "PreconditionFailed"],
    [{ ifMatch: "*", ifUnmodifiedSince: "Sat, 31 Jan 2026 09:29:59 GMT" }, 200],
    [{ range: "bytes=0-9" }, 206],
    [{ range: "bytes=100-" }, "InvalidRange"],
    [{ range: "bytes=0-9", partNumber: 1 }, "InvalidRequest"],
    [{ partNumber: 4 }, "InvalidPart"],
  ] as const)("%p gives %p", (request, expected) => {
    expect(codeOf(request)).toBe(expected);
  });

  test("with a part number has the bytes of that part", () => {
    const { slice, headers } = plan({ partNumber: 2 });
    expect(slice).toEqual({ start: 40, end: 80 });
    expect(headers).toMatchObject({
      "Content-Range": "bytes 40-79/100",
      "x-amz-mp-parts-count": "3",
    });
    expect(plan({ partNumber: 1 }, { ...file, s3: null }).slice).toEqual({ start: 0, end: 100 });
  });

  test("has the checksums of the whole if requested, but not with a range", () => {
    const checksum = { "x-amz-checksum-crc32": "AAAAAA==", "x-amz-checksum-type": "COMPOSITE" };
    expect(plan({ checksums: true }).headers).toMatchObject(checksum);
    expect(plan({}).headers).not.toHaveProperty("x-amz-checksum-crc32");
    const ofRange = plan({ checksums: true, range: "bytes=0-9" }).headers;
    expect(ofRange).not.toHaveProperty("x-amz-checksum-crc32");
  });

  test("has the headers that the request overrides", () => {
    const overrides = { "content-type": "text/html", "cache-control": "no-cache" };
    expect(plan({ overrides }).headers).toMatchObject(overrides);
  });

  test("of a file that ends is kept by no cache for longer, also once it was asked for again", () => {
    const metadata = JSON.stringify({
      cacheControl: "public, max-age=31536000, immutable",
      expires: "Fri, 31 Dec 2060 00:00:00 GMT",
    }) as MetadataText;
    const ending = { ...file, metadata, expiresAt: MODIFIED + 90_500 };
    const caching = {
      "cache-control": "public, max-age=90",
      expires: new Date(MODIFIED + 90_000).toUTCString(),
    };
    expect(plan({}, ending).headers).toMatchObject(caching);
    const again = plan({ ifNoneMatch: `"${attributes.etag}"` }, ending);
    expect(again).toMatchObject({ status: 304, headers: caching });
    expect(plan({ overrides: { expires: "never" } }, ending).headers).toMatchObject({
      expires: new Date(0).toUTCString(),
    });
    const plain = { ...file, expiresAt: MODIFIED + 90_500 };
    expect(plan({}, plain).headers).toMatchObject({ "cache-control": "max-age=90" });
    const soon = new Date(MODIFIED + 30_000).toUTCString();
    const overrides = { "cache-control": "public", expires: soon };
    expect(plan({ overrides }, plain).headers).toMatchObject({
      "cache-control": "public, max-age=30",
      expires: soon,
    });
    const onlyExpires = plan({ overrides: { expires: soon } }, plain).headers;
    expect(onlyExpires).toMatchObject({ expires: soon });
    expect(onlyExpires).not.toHaveProperty("cache-control");
    expect(plan({}, { ...file, metadata }).headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
    });
  });
});
