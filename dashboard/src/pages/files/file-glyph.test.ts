import { expect, test } from "bun:test";
import { MEDIA_KINDS } from "../../components/media-kinds.ts";
import { fileGlyph } from "./file-glyph.ts";

const SHEETS = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const WORDS = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const glyphOf = (mimeType: string, name = "file") => fileGlyph({ name, mimeType });

test("files of one kind that are often in one folder have different glyphs", () => {
  const documents = ["application/pdf", SHEETS, SLIDES, WORDS].map((type) => glyphOf(type));
  expect(new Set(documents).size).toBe(4);
  const texts = ["text/csv", "text/plain", "application/json"].map((type) => glyphOf(type));
  expect(new Set(texts).size).toBe(3);
});

test("tables and texts have the same glyph, whatever their kind", () => {
  expect(glyphOf("text/csv")).toBe(glyphOf(SHEETS));
  expect(glyphOf("text/markdown")).toBe(glyphOf(WORDS));
});

test("other files have the glyph of their kind", () => {
  expect(glyphOf("image/png")).toBe(MEDIA_KINDS.image.glyph);
  expect(glyphOf("application/octet-stream")).toBe("");
  expect(glyphOf("application/octet-stream", "main.rs")).toBe(MEDIA_KINDS.text.glyph);
});
