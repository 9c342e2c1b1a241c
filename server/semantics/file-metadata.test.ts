import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Fault } from "../domain/faults/fault.ts";
import { parseDispositionHeader } from "./disposition-header.ts";
import {
  changeMetadata,
  metadataOfNewContent,
  metadataOfRestoredContent,
  parseMetadata,
  readMetadata,
} from "./file-metadata.ts";
import { pairHeaders } from "./pair-headers.ts";

const valid: readonly (readonly [string, string])[] = [
  ["cacheControl", "public, max-age=31536000, immutable"],
  ["cacheControl", "no-store"],
  ["cacheControl", 'private="set-cookie",max-age=0 , x-ext="a \\" b"'],
  ["cacheControl", "S-MaxAge=1, Max-Age=2, stale-while-revalidate=3"],
  ["contentDisposition", "inline"],
  ["contentDisposition", "Attachment"],
  ["contentDisposition", 'attachment; filename="a \\"b\\".txt"'],
  ["contentDisposition", "inline;filename=plain.txt ; filename*=UTF-8''%e2%82%ac%20rates"],
  ["contentLanguage", "de-CH, en"],
  ["contentLanguage", "zh-Hant-TW"],
  ["contentEncoding", "gzip"],
  ["contentEncoding", "br, gzip"],
  ["expires", "Wed, 01 Dec 2027 16:00:00 GMT"],
  ["x-amz-meta-s3cmd-attrs_1.2~", "atime:1/ctime:2"],
  ["x-amz-meta-empty", ""],
  ["x-a", "1"],
  ["x-review-state-2", 'done: 50 % "quoted"'],
];

const invalid: readonly (readonly [string, unknown])[] = [
  ["cacheControl", ""],
  ["cacheControl", "max-age=x"],
  ["cacheControl", "max-age"],
  ["cacheControl", 'max-age="1"'],
  ["cacheControl", "max-age=1, max-age=2"],
  ["cacheControl", "public,, private"],
  ["cacheControl", "public;max-age=1"],
  ["cacheControl", "public\r\nSet-Cookie: a=b"],
  ["cacheControl", "public\n"],
  ["cacheControl", "públic"],
  ["contentDisposition", ""],
  ["contentDisposition", "form-data"],
  ["contentDisposition", "inline; name=x"],
  ["contentDisposition", 'inline; filename=""'],
  ["contentDisposition", 'inline; filename="../x"'],
  ["contentDisposition", 'inline; filename="a\\\\b"'],
  ["contentDisposition", "inline; filename=a; filename=b"],
  ["contentDisposition", "inline; filename*=UTF-8''%0d%0a"],
  ["contentDisposition", "inline; filename*=UTF-8''%ff"],
  ["contentDisposition", "inline; filename*=ISO-8859-1''a"],
  ["contentDisposition", "inline; "],
  ["contentDisposition", 'inline; filename="a\nb"'],
  ["contentLanguage", "de_CH"],
  ["contentLanguage", "toolongtag"],
  ["contentLanguage", "de,"],
  ["contentEncoding", "identity"],
  ["contentEncoding", "gzip;q=1"],
  ["contentEncoding", "aws-chunked"],
  ["expires", "tomorrow"],
  ["expires", "Thu, 01 Dec 2027 16:00:00 GMT"],
  ["x-amz-meta-", "1"],
  ["x-amz-meta-A", "1"],
  ["x-amz-meta-a:b", "1"],
  ["x-amz-meta-a", " "],
  ["x-amz-meta-a", "1\r\n2"],
  ["x-a", ""],
  ["x-a", " a"],
  ["x-a", "a "],
  ["x-a", "ä"],
  ["x-a", "a\tb"],
  ["x-a", "a\u0000b"],
  ["x-a", 5],
  ["x-a", {}],
  ["x-A", "a"],
  ["x-", "a"],
  ["x--a", "a"],
  ["x-a-", "a"],
  ["x-a b", "a"],
  [`x-${"a".repeat(63)}`, "a"],
  ["X-Frame-Options", "ALLOWALL"],
  ["contentType", "text/html"],
  ["Content-Security-Policy", ""],
  ["__proto__", "a"],
  ["constructor", "a"],
  ["toString", "a"],
];

describe("metadata", () => {
  test.each(valid)("accepts %s: %s", (name, value) => {
    expect(parseMetadata({ [name]: value, "x-removed": null })).toEqual({
      [name]: value,
      "x-removed": null,
    });
  });

  test.each(invalid)("rejects %s: %p", (name, value) => {
    const fields = Object.fromEntries([[name, value]]);
    expect(() => parseMetadata(fields)).toThrow(Fault);
    expect(() => parseMetadata(fields)).toThrow("`metadata.");
  });

  test("changes keep what is left out, and null removes", () => {
    const first = changeMetadata(null, { "x-b": "2", "x-a": "1", contentLanguage: "de" });
    expect(`${first}`).toBe('{"contentLanguage":"de","x-a":"1","x-b":"2"}');
    const second = changeMetadata(first, { "x-b": null, cacheControl: "no-store" });
    expect(`${second}`).toBe('{"cacheControl":"no-store","contentLanguage":"de","x-a":"1"}');
    const none = { cacheControl: null, contentLanguage: null, "x-a": null, "x-z": null };
    expect(changeMetadata(second, none)).toBeNull();
    expect(readMetadata(null)).toEqual({});
    const coded = changeMetadata(second, { contentEncoding: "gzip" });
    expect(metadataOfNewContent(coded)).toBe(second);
    expect(metadataOfRestoredContent(coded, second)).toBe(second);
    expect(metadataOfRestoredContent(second, coded)).toBe(coded);
    expect(metadataOfRestoredContent(null, coded)).toBe(
      changeMetadata(null, { contentEncoding: "gzip" }),
    );
  });

  test("whatever is accepted makes headers that the runtime can send, and none but its own", () => {
    const names = ["cacheControl", "contentDisposition", "contentLanguage", "contentEncoding"];
    const anyName = fc.oneof(
      fc.constantFrom(...names),
      fc.string().map((text) => `x-${text}`),
    );
    const anyValue = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(...valid.map(([, value]) => value)),
      fc
        .tuple(fc.constantFrom(...valid.map(([, value]) => value)), fc.string())
        .map((both) => both.join("")),
    );
    fc.assert(
      fc.property(fc.dictionary(anyName, anyValue), (fields) => {
        let text: ReturnType<typeof changeMetadata>;
        try {
          text = changeMetadata(null, parseMetadata(fields));
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
          return;
        }
        const metadata = readMetadata(text);
        expect(metadata).toEqual(fields);
        const headers = new Headers({ ...pairHeaders(metadata) });
        for (const name of headers.keys()) expect(name).toStartWith("x-meta-");
        for (const value of Object.values(metadata)) {
          expect(value).toMatch(/^[\x20-\x7e]+$/);
          expect(() => new Headers({ A: value })).not.toThrow();
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test("a disposition has a type and a name, of which filename* takes precedence", () => {
  expect(parseDispositionHeader("INLINE")).toEqual({ type: "inline", filename: undefined });
  expect(parseDispositionHeader('attachment; filename="a \\"b\\".txt"')).toEqual({
    type: "attachment",
    filename: 'a "b".txt',
  });
  const both = "inline; filename*=UTF-8''%e2%82%ac; filename=EUR";
  expect(parseDispositionHeader(both)).toEqual({ type: "inline", filename: "€" });
});
