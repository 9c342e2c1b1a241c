import { expect, test } from "bun:test";
import { contentTypeOf, keptContentType } from "./object-type.ts";

test.each([
  'video/mp4; codecs="avc1.42E01E"',
  "application/json; charset=utf-8",
  "text/plain; charset=iso-8859-1; format=flowed",
  'text/html;charset="windows-1251"',
  "TEXT/PLAIN",
  "jpg",
  "image/jpeg,image/png",
])("keeps %p as it came", (declared) => {
  expect(keptContentType(declared)).toBe(declared);
});

test.each([
  ...["image/png", "text/plain", "text/html; charset=utf-8", undefined, null, ""],
  ...["a/b; x=\u00e9", "a/b; x=\u0007", `a/b; ${"x".repeat(300)}`],
])("keeps nothing of %p", (declared) => {
  expect(keptContentType(declared)).toBeUndefined();
});

test("another media type of the file takes the place of the declared one", () => {
  const contentType = "video/mp4; codecs=avc1";
  const file = { mimeType: "video/mp4", charset: null };
  expect(contentTypeOf(file, { contentType })).toBe(contentType);
  expect(contentTypeOf({ ...file, mimeType: "video/quicktime" }, { contentType })).toBe(
    "video/quicktime",
  );
  expect(contentTypeOf({ mimeType: "text/html", charset: "shift_jis" }, null)).toBe(
    "text/html; charset=shift_jis",
  );
});
