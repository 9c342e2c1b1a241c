import { expect, test } from "bun:test";
import { extensionOf } from "./extension-of.ts";

test.each([
  ["report.pdf", "PDF"],
  ["backup.tar.gz", "TAR.GZ"],
  ["README", ""],
  [".env", ""],
  ["a.verylongextension", ""],
])("the extension of %s is %p", (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});
