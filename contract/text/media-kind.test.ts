import { expect, test } from "bun:test";
import { mediaType } from "../../server/domain/media.ts";
import { mediaKind } from "./media-kind.ts";

test.each([
  ["image", ["a.jpg", "a.svg", "a.heic", "a.psd", "a.webp"]],
  ["video", ["a.mp4", "a.mov", "a.mkv", "a.webm"]],
  ["audio", ["a.mp3", "a.flac", "a.ogg", "a.m4a"]],
  [
    "document",
    ["a.pdf", "a.doc", "a.docx", "a.xlsx", "a.pptx", "a.odt", "a.epub", "a.rtf", "a.pages"],
  ],
  [
    "text",
    [
      "a.txt",
      "a.md",
      "a.html",
      "a.css",
      "a.csv",
      "a.json",
      "a.xml",
      "a.js",
      "a.yaml",
      "a.sql",
      "a.ts",
    ],
  ],
  ["archive", ["a.zip", "a.gz", "a.tar", "a.7z", "a.rar", "a.bz2", "a.xz", "a.jar"]],
  ["other", ["a", "a.bin", "a.exe", "a.wasm", "a.ttf"]],
] as const)("%s", (kind, names) => {
  expect(names.map((name) => [name, mediaKind(mediaType(name))])).toEqual(
    names.map((name) => [name, kind]),
  );
});
