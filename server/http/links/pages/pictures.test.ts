import { expect, test } from "bun:test";
import { parseKey } from "../../../domain/names/name.ts";
import { createLinkPaths } from "./link-paths.ts";
import { galleryPicture, stripPicture } from "./pictures.ts";

const paths = createLinkPaths("token", 0);
const picture = { name: "a.jpg", path: parseKey("a.jpg"), mimeType: "image/jpeg", modifiedAt: 1 };

test("galleries have sharper pictures for dense screens, and strips need none", () => {
  const tile = galleryPicture(paths, picture).markup;
  expect(tile).toContain('src="token/a.jpg?v=1&amp;size=tile"');
  expect(tile).toContain('data-dense="token/a.jpg?v=1&amp;size=dense-tile"');
  const inStrip = stripPicture(paths, picture).markup;
  expect(inStrip).toContain('src="token/a.jpg?v=1&amp;size=tile"');
  expect(inStrip).not.toContain("data-dense");
});

test("a picture that the server does not scale has one source", () => {
  const svg = { ...picture, name: "a.svg", path: parseKey("a.svg"), mimeType: "image/svg+xml" };
  expect(galleryPicture(paths, svg).markup).not.toContain("data-dense");
});
