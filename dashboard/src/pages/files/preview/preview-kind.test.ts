import { expect, test } from "bun:test";
import { previewKind } from "./preview-kind.ts";

test.each([
  ["a.png", "image/png", "image"],
  ["a.svg", "image/svg+xml", "image"],
  ["a.heic", "image/heic", "details"],
  ["a.mp4", "video/mp4", "video"],
  ["a.ts", "video/mp2t", "text"],
  ["a.mp3", "audio/mpeg", "audio"],
  ["a.pdf", "application/pdf", "pdf"],
  ["README.md", "text/markdown", "markdown"],
  ["page.html", "text/html", "text"],
  ["a.json", "application/json", "text"],
  ["feed", "application/atom+xml", "text"],
  ["Dockerfile", "application/octet-stream", "text"],
  [".env", "application/octet-stream", "text"],
  ["main.rs", "text/rust", "text"],
  ["a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "details"],
  ["a.zip", "application/zip", "zip"],
] as const)("%s of type %s is previewed as %s", (name, mimeType, kind) => {
  expect(previewKind({ name, mimeType })).toBe(kind);
});
