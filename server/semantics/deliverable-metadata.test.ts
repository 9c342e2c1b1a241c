import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readDeliverable } from "./deliverable-metadata.ts";
import { changeMetadata, isValidField } from "./file-metadata.ts";

const delivered = (fields: Record<string, string>) => readDeliverable(changeMetadata(null, fields));

describe("hosting sends of stored metadata", () => {
  test("nothing if there is none, and valid fields as they are", () => {
    expect(readDeliverable(null)).toEqual({});
    const fields = { cacheControl: "max-age=3", contentEncoding: "gzip, br", "x-amz-meta-a": "1" };
    expect(delivered(fields)).toEqual(fields);
  });

  test.each([
    ["contentEncoding", "utf-8", undefined],
    ["contentEncoding", "base64", undefined],
    ["contentEncoding", "binary", undefined],
    ["contentEncoding", "identity", undefined],
    ["contentEncoding", "gzip, base64", undefined],
    ["contentEncoding", "x-gzip", "gzip"],
    ["contentEncoding", "GZIP", "gzip"],
    ["contentEncoding", "identity,gzip", "gzip"],
    ["cacheControl", "max-age = 3", "max-age=3"],
    ["cacheControl", "no-cache; no-store", "no-cache, no-store"],
    ["cacheControl", "max-age=60, max-age=5", "max-age=60"],
    ["cacheControl", "max-age=soon, public", "public"],
    ["cacheControl", "für immer", undefined],
    ["contentLanguage", "en_US", undefined],
    ["expires", "0", undefined],
    ["contentDisposition", "attachment; filename=two words.txt", "two words.txt"],
    ["contentDisposition", 'attachment; filename="Übersicht 試.txt"; size=3', "Übersicht 試.txt"],
    ["contentDisposition", "attachment; filename*=UTF-8''%C3%BC.txt; x=1", "ü.txt"],
    ["contentDisposition", "form-data; name=a; filename=../b", undefined],
    ["x-amz-meta-a", "Ü", undefined],
  ])("%s: %s as %p", (name, value, expected) => {
    const sent = delivered({ [name]: value })[name];
    if (name !== "contentDisposition") return expect(sent).toBe(expected);
    const encoded = expected && `; filename*=UTF-8''${encodeURIComponent(expected)}`;
    expect(sent).toBe(`attachment${encoded ?? ""}`);
  });

  test("only what is valid, whatever was stored", () => {
    const field = fc.constantFrom(
      ...["cacheControl", "contentDisposition", "contentEncoding", "contentLanguage", "expires"],
    );
    const piece = fc.constantFrom(
      ...[
        "attachment",
        "inline",
        ";",
        ",",
        "=",
        " ",
        "filename",
        "filename*",
        "UTF-8''",
        '"',
        "\\",
      ],
      ...["max-age", "3", "gzip", "x-gzip", "a b.txt", "%", "試", "'", "/"],
    );
    const value = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((all) => all.join("")),
      fc.string({ unit: "binary", maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.dictionary(field, value), (fields) => {
        for (const [name, sent] of Object.entries(delivered(fields))) {
          expect(isValidField(name, sent)).toBe(true);
        }
      }),
    );
  });
});
