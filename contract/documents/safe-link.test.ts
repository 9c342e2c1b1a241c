import { expect, test } from "bun:test";
import { resolveRelativeKey, safeLink } from "./safe-link.ts";

test.each([
  ["https://example.com/a", true],
  ["mailto:a@example.com", true],
  ["javascript:alert(1)", false],
  [" javascript:alert(1)", false],
  ["JaVaScRiPt:alert(1)", false],
  ["data:text/html,x", false],
  ["//example.com", false],
  ["other.md", false],
])("allows %p: %p", (url, may) => {
  expect(safeLink(url)).toBe(may ? url : undefined);
});

test.each([
  ["docs/", "a.png", "docs/a.png"],
  ["docs/", "./img/a%20b.png?x#y", "docs/img/a b.png"],
  ["docs/", "../a.png", "a.png"],
  ["", "a.png", "a.png"],
  ["", "../a.png", undefined],
  ["docs/", "https://example.com/a.png", undefined],
  ["docs/", "/api/keys", undefined],
  ["docs/", "//example.com/a.png", undefined],
  ["docs/", "data:image/png;base64,x", undefined],
  ["docs/", "", "docs"],
  ["docs/", "%2e%2e/a.png", "a.png"],
  ["docs/", "%2e%2e/%2e%2e/api/keys", undefined],
  ["docs/", "..%2f..%2fapi/keys", undefined],
  ["docs/", "%2e/a.png", undefined],
  ["docs/", "a%5cb.png", undefined],
])("in %p, %p resolves to %p", (folder, url, key) => {
  expect(resolveRelativeKey(folder, url)).toBe(key);
});
