import { expect, test } from "bun:test";
import fc from "fast-check";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { headerText, headerValue } from "./header-text.ts";
import { metadataHeaders, objectMetadata } from "./object-metadata.ts";

const stored = (fields: Record<string, string>) =>
  metadataHeaders(objectMetadata(Object.entries(fields)));

test("headers that describe an object come back as they were", () => {
  const fields = {
    "cache-control": "max-age=60",
    "content-disposition": "attachment",
    "content-encoding": "gzip",
    "content-language": "de",
    expires: "Tue, 01 Jan 2030 00:00:00 GMT",
    "x-amz-meta-mtime": "1.5",
    "x-amz-meta-empty": "",
  };
  expect(stored(fields)).toEqual(fields);
});

test("other headers are no metadata, and aws-chunked is no coding of the object", () => {
  const fields = { host: "a", "x-amz-acl": "private", "content-encoding": "aws-chunked" };
  expect(objectMetadata(Object.entries(fields))).toBeNull();
  expect(stored({ "content-encoding": "aws-chunked, gzip" })).toEqual({
    "content-encoding": "gzip",
  });
});

test.each([
  ["content-encoding", "utf-8"],
  ["content-encoding", "base64"],
  ["content-encoding", "identity"],
  ["content-encoding", "x-gzip"],
  ["cache-control", "max-age = 3"],
  ["cache-control", "no-cache; no-store"],
  ["content-disposition", "attachment; filename=two words.txt"],
  ["content-disposition", 'attachment; filename="Übersicht 試.txt"'],
  ["content-language", "en_US"],
  ["expires", "0"],
  ["x-amz-meta-a", "Übersicht 試"],
  ["x-amz-meta-a", "tab\tin between"],
])("%s: %s is stored without a look at its meaning", (name, value) => {
  expect(stored({ [name]: value })).toEqual({ [name]: headerValue(value) });
});

test("values that no header can have, and too many bytes, are refused", () => {
  const codeOf = (fields: Record<string, string>) => {
    try {
      return stored(fields);
    } catch (error) {
      return error instanceof S3Fault ? error.s3Code : error;
    }
  };
  expect(codeOf({ "cache-control": "a\r\nb" })).toBe("InvalidArgument");
  expect(codeOf({ "x-amz-meta-a": "a\u0085b" })).toBe("InvalidArgument");
  expect(codeOf({ "x-amz-meta-a": "\ud800" })).toBe("InvalidArgument");
  expect(codeOf({ "x-amz-meta-a b": "1" })).toBe("InvalidArgument");
  expect(codeOf({ "x-amz-meta-a": "a".repeat(3000) })).toBe("MetadataTooLarge");
  expect(codeOf({ "x-amz-meta-a": "試".repeat(650) })).toBe("MetadataTooLarge");
});

test("any pair comes back as it was, or is refused", () => {
  const name = fc.stringMatching(/^[a-z0-9._-]{1,20}$/).map((text) => `x-amz-meta-${text}`);
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ maxLength: 40, unit: "grapheme" })), (fields) => {
      try {
        const trimmed = Object.entries(fields).map(([key, value]) => [key, value.trim()]);
        const back = Object.entries(stored(fields)).map(([key, value]) => [key, headerText(value)]);
        expect(Object.fromEntries(back)).toEqual(Object.fromEntries(trimmed));
      } catch (error) {
        expect(error).toBeInstanceOf(S3Fault);
      }
    }),
  );
});
