import { expect, test } from "bun:test";
import { noPreviewReason } from "./no-preview-reason.ts";

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
test.each([
  ["a.heic", "image/heic", "HEIC pictures"],
  ["a.HEIC", "application/octet-stream", "HEIC pictures"],
  ["a.tif", "image/tiff", "TIFF pictures"],
  ["a.docx", WORD, "Word documents"],
  ["a.xls", "application/vnd.ms-excel", "Excel workbooks"],
  ["a.odt", "application/vnd.oasis.opendocument.text", "OpenDocument files"],
  ["a.jxl", "image/jxl", "of the type image/jxl"],
  ["a.zip", "application/zip", "an archive"],
  ["a.bin", "application/octet-stream", "no preview for this type"],
])("%s of type %s: %s", (name, mimeType, part) => {
  expect(noPreviewReason({ name, mimeType, size: 1 })).toContain(part);
});

test("an empty file is called empty", () => {
  const file = { name: "a.docx", mimeType: WORD, size: 0 };
  expect(noPreviewReason(file)).toBe("This file is empty.");
});
