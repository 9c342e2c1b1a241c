import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { multipartEtag } from "../../semantics/s3/choose-parts.ts";
import {
  ContentMismatch,
  createContentCheck,
  type ExpectedContent,
  isEncryptedOtherwise,
} from "./content-check.ts";

const CONTENT = Buffer.from("the content of an object");
const md5 = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");
const ETAG = md5(CONTENT);
const SHA256 = createHash("sha256").update(CONTENT).digest("base64");

/** The content is read in chunks of five bytes, which are not those of the parts. */
function check(expected: Partial<ExpectedContent>, content = CONTENT) {
  const checked = createContentCheck({
    size: CONTENT.length,
    etag: ETAG,
    hasMd5Etag: true,
    partSizes: undefined,
    headers: new Headers(),
    ...expected,
  });
  for (let at = 0; at < content.length; at += 5) checked.update(content.subarray(at, at + 5));
  return checked.finish();
}

const partsOf = (sizes: readonly number[]): string[] => {
  let at = 0;
  return sizes.map((size) => {
    at += size;
    return md5(CONTENT.subarray(at - size, at));
  });
};

test("an ETag that is the MD5 is compared and kept", () => {
  expect(check({})).toEqual({ attributes: { etag: ETAG }, isChecked: true });
  const other = Buffer.from(CONTENT);
  other[3] = 0;
  expect(() => check({}, other)).toThrow(ContentMismatch);
});

test("an ETag that is no MD5 is replaced by it, and proves nothing", () => {
  for (const etag of ["CJ+abc=", md5(Buffer.from("key"))]) {
    expect(check({ etag, hasMd5Etag: false })).toEqual({
      attributes: { etag: ETAG },
      isChecked: false,
    });
  }
});

describe("the ETag of a multipart upload", () => {
  test.each([[[24]], [[10, 14]], [[5, 5, 14]], [[8, 8, 8]], [[1, 22, 1]]])(
    "of parts %p",
    (sizes) => {
      const etag = multipartEtag(partsOf(sizes));
      expect(check({ etag, partSizes: sizes })).toEqual({
        attributes: { etag, parts: sizes },
        isChecked: true,
      });
      const other = Buffer.from(CONTENT);
      other[23] = 0;
      expect(() => check({ etag, partSizes: sizes }, other)).toThrow("ETag");
    },
  );

  test("of an empty part", () => {
    const etag = multipartEtag([md5(Buffer.alloc(0))]);
    const empty = { etag, partSizes: [0], size: 0 };
    expect(check(empty, Buffer.alloc(0)).isChecked).toBe(true);
  });

  test("of unknown parts is kept, and proves nothing", () => {
    const etag = multipartEtag(partsOf([10, 14]));
    expect(check({ etag })).toEqual({ attributes: { etag }, isChecked: false });
  });
});

test("checksums of the whole content are compared and kept", () => {
  const headers = new Headers({ "x-amz-checksum-sha256": SHA256 });
  expect(check({ headers })).toEqual({
    attributes: { etag: ETAG, checksums: { SHA256 }, checksumType: "FULL_OBJECT" },
    isChecked: true,
  });
  const wrong = new Headers({ "x-amz-checksum-crc32": "AAAAAA==" });
  expect(() => check({ headers: wrong })).toThrow("CRC32");
});

test("checksums of checksums of parts are left out", () => {
  for (const headers of [
    new Headers({ "x-amz-checksum-sha256": SHA256, "x-amz-checksum-type": "COMPOSITE" }),
    new Headers({ "x-amz-checksum-crc32": "AAAAAA==-3" }),
  ]) {
    expect(check({ headers }).attributes).toEqual({ etag: ETAG });
  }
});

test("another size than that of the list is a mismatch", () => {
  expect(() => check({ size: 7 })).toThrow("another size");
});

test.each([
  [{}, false],
  [{ "x-amz-server-side-encryption": "AES256" }, false],
  [{ "x-amz-server-side-encryption": "aws:kms" }, true],
  [{ "x-amz-server-side-encryption-customer-algorithm": "AES256" }, true],
])("with %p, the ETag may be no MD5: %p", (headers, expected) => {
  expect(isEncryptedOtherwise(new Headers(headers))).toBe(expected);
});
