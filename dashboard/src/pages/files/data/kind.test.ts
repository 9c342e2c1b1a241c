import { expect, test } from "bun:test";
import { extensionOf, kindOf } from "./kind.ts";

test.each([
  ["image/png", "image"],
  ["video/mp4", "video"],
  ["audio/mpeg", "audio"],
  ["application/pdf", "document"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "document"],
  ["text/plain", "document"],
  ["application/gzip", "archive"],
  ["application/json", "code"],
  ["text/css", "code"],
  ["application/octet-stream", "other"],
  ["", "other"],
] as const)("%p is of kind %s", (type, kind) => {
  expect(kindOf(type)).toBe(kind);
});

test.each([
  ["report.pdf", "PDF"],
  ["backup.tar.gz", "TAR.GZ"],
  ["README", ""],
  [".env", ""],
  ["a.verylongextension", ""],
])("the extension of %s is %p", (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});
