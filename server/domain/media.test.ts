import { expect, test } from "bun:test";
import fc from "fast-check";
import { mediaType, mediaTypeAfterRename, typeWithCharset } from "./media.ts";

const UNKNOWN = "application/octet-stream";

test.each([
  ["a.txt", "text/plain"],
  ["a.html", "text/html"],
  ["a.css", "text/css"],
  ["a.js", "text/javascript"],
  ["a.json", "application/json"],
  ["a.png", "image/png"],
  ["A.JPG", "image/jpeg"],
  ["a.svg", "image/svg+xml"],
  ["a.pdf", "application/pdf"],
  ["a.mp4", "video/mp4"],
  ["a.woff2", "font/woff2"],
  ["archive.tar.gz", "application/gzip"],
  [".hidden.txt", "text/plain"],
  ["日本語.txt", "text/plain"],
])("%s is %s, whatever type is declared", (name, expected) => {
  expect(mediaType(name)).toBe(expected);
  expect(mediaType(name, "application/x-other")).toBe(expected);
});

test.each(["README", ".gitignore", ".txt", "txt", "html", "end.", "a.unknown-kind", "Mr. Smith"])(
  "%s has no known extension",
  (name) => {
    expect(mediaType(name)).toBe(UNKNOWN);
    expect(mediaType(name, "image/x-thing")).toBe("image/x-thing");
  },
);

test.each(["a.constructor", "a.__proto__", "a.toString", "a.hasOwnProperty"])(
  "%s has no media type from Object.prototype",
  (name) => {
    expect(mediaType(name)).toBe(UNKNOWN);
  },
);

test.each([
  ["text/plain", "text/plain"],
  ["Text/HTML; charset=ISO-8859-1", "text/html"],
  [" application/vnd.a+json ;x", "application/vnd.a+json"],
  ["", UNKNOWN],
  ["text", UNKNOWN],
  ["text/", UNKNOWN],
  ["/plain", UNKNOWN],
  ["text/plain/more", UNKNOWN],
  ["text plain", UNKNOWN],
  ["text/pl ain", UNKNOWN],
  ["*/*", UNKNOWN],
  ["text/*", UNKNOWN],
  ["text/plain\r\nX-Evil: 1", UNKNOWN],
  ["téxt/plain", UNKNOWN],
  [`text/${"x".repeat(128)}`, UNKNOWN],
  ['text/"plain"', UNKNOWN],
])("declared as %j, a name without a known extension is %s", (declared, expected) => {
  expect(mediaType("README", declared)).toBe(expected);
});

test("every media type is well-formed, in lower case and safe in a header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, declared) => {
      for (const type of [
        mediaType(name, declared),
        mediaType(`${name}.bin`, `text/${declared}`),
      ]) {
        expect(type).toMatch(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/);
      }
    }),
  );
});

test.each([
  ["a.txt", "b.txt", "text/x-kept", "text/x-kept"],
  ["a.txt", "a.TXT", "text/x-kept", "text/x-kept"],
  ["README", "NOTES", "image/png", "image/png"],
  ["a.txt", "a.png", "text/plain", "image/png"],
  ["a.txt", "README", "text/plain", UNKNOWN],
  ["README", "README.md", "image/png", "text/markdown"],
  ["a.txt", "a.txt.unknown-kind", "text/plain", UNKNOWN],
])("renamed from %s to %s, %s becomes %s", (oldName, newName, current, expected) => {
  expect(mediaTypeAfterRename(oldName, newName, current)).toBe(expected);
});

test.each([
  ["text/plain", "text/plain; charset=utf-8"],
  ["text/html", "text/html; charset=utf-8"],
  ["text/x-anything", "text/x-anything; charset=utf-8"],
  ["application/json", "application/json"],
  ["application/xml", "application/xml"],
  ["image/svg+xml", "image/svg+xml"],
  ["image/png", "image/png"],
  [UNKNOWN, UNKNOWN],
])("%s is sent as %s", (type, expected) => {
  expect(typeWithCharset(type, "utf-8")).toBe(expected);
});
