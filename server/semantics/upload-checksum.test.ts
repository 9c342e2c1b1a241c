import { expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "../domain/faults/fault.ts";
import { CHECKSUM_ALGORITHMS, parseUploadChecksum } from "./upload-checksum.ts";

test("reads the example of the protocol", () => {
  expect(parseUploadChecksum("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=")).toEqual({
    algorithm: "sha1",
    digest: "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed",
  });
});

test("knows four algorithms, SHA-1 first", () => {
  expect(CHECKSUM_ALGORITHMS).toEqual(["sha1", "sha256", "md5", "crc32"]);
});

test("reads every checksum of the right length, with and without padding", () => {
  const lengths = { sha1: 20, sha256: 32, md5: 16, crc32: 4 };
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const length = lengths[algorithm];
    fc.assert(
      fc.property(fc.uint8Array({ minLength: length, maxLength: length }), (bytes) => {
        const base64 = Buffer.from(bytes).toString("base64");
        const digest = Buffer.from(bytes).toString("hex");
        expect(parseUploadChecksum(`${algorithm} ${base64}`)).toEqual({ algorithm, digest });
        const bare = base64.replaceAll("=", "");
        expect(parseUploadChecksum(`${algorithm} ${bare}`).digest).toBe(digest);
      }),
    );
  }
});

test.each([
  "",
  "sha1",
  "sha1 ",
  "sha512 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
  "SHA1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
  "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0= x",
  "sha1 Kq5sNclPz7QV2!lfQIuc6R7oRu0=",
  "sha1 AAAA",
  "constructor AAAA",
])("refuses %p", (header) => {
  expect(() => parseUploadChecksum(header)).toThrow(Fault);
});

test("any text is read or a fault", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        parseUploadChecksum(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
  );
});
