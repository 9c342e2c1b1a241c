import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { Key, Name } from "../../../domain/records.ts";
import { NO_BRAND } from "../../brand/brand.ts";
import { dropPage } from "./drop-page.ts";
import { filePage } from "./file-page.ts";
import { folderPage } from "./folder-page.ts";
import { createLinkPaths } from "./link-paths.ts";
import { passwordPage } from "./password-page.ts";
import { previewKind } from "./preview-kind.ts";

const frame = {
  paths: createLinkPaths("token", 0),
  nonce: "nonce",
  expiresAt: null,
  brand: NO_BRAND,
};

/** The elements of a page, by name, and the decoded text of its attributes. */
async function read(page: string) {
  const elements: string[] = [];
  const urls: string[] = [];
  const rewriter = new HTMLRewriter().on("*", {
    element(element) {
      elements.push(element.tagName);
      for (const name of ["href", "src", "action"]) urls.push(element.getAttribute(name) ?? "");
    },
  });
  await rewriter.transform(new Response(page)).text();
  return { elements, urls };
}

test("no name, title or text gets out of its place in a page", async () => {
  const nasty = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc.constantFrom('"><script>1</script>', "'onload=1", "</title><img src=x>", "&lt;", "a b?#%.."),
  );
  const limits = { maxFiles: 2, maxBytes: 1, maxFileBytes: 1, maxFormFiles: 1 };
  const pages = (text: string): string[] => {
    const file = { name: text as Name, mimeType: "image/png", size: 1, modifiedAt: 0 };
    const entry = { ...file, path: `sub/${text.replaceAll("/", "_")}` as Key };
    const crumbs = [{ name: text, path: "" as Key }];
    const shared = { title: text, crumbs, path: entry.path, downloadOnly: false };
    return [
      filePage(frame, {
        ...shared,
        file,
        excerpt: { text, isWhole: true, canChoose: true },
        before: [],
        after: [entry],
        position: { at: 1, of: 2 },
      }),
      filePage(frame, { ...shared, file: { ...file, mimeType: "text/plain" } }),
      folderPage(frame, { ...shared, layout: "list", folders: [entry], files: [entry] }),
      folderPage(frame, { ...shared, layout: "grid", folders: [entry], files: [entry] }),
      passwordPage(frame, { title: text, action: frame.paths.root(), problem: text }),
      dropPage(frame, { title: text, ...limits, problem: text }),
      dropPage(
        { ...frame, brand: { ...NO_BRAND, name: text } },
        { title: text, ...limits, problem: text },
      ),
    ];
  };
  const plain = await Promise.all(pages("name").map(read));
  await fc.assert(
    fc.asyncProperty(nasty, async (text) => {
      for (const [index, page] of pages(text).entries()) {
        const { elements, urls } = await read(page);
        expect(elements).toEqual(plain[index]?.elements ?? []);
        for (const url of urls) expect(url).toMatch(/^(?:token|\.\.\/assets\/|#i-|$)/);
      }
    }),
    { numRuns: 60 },
  );
});

describe("URLs", () => {
  test.each([
    [0, "token/a%20b/c.txt", "token", "../assets/x"],
    [1, "../token/a%20b/c.txt", "../token", "../../assets/x"],
    [3, "../../../token/a%20b/c.txt", "../../../token", "../../../../assets/x"],
  ])("are relative to a page %d folders deep", (depth, file, root, site) => {
    const paths = createLinkPaths("token", depth);
    expect(paths.file("a b/c.txt" as Key)).toBe(file);
    expect(paths.root()).toBe(root);
    expect(paths.folder("" as Key, "view=list")).toBe(`${root}?view=list`);
    expect(paths.site("assets/x")).toBe(site);
  });

  test("lead back to the same path", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (given) => {
        const names = given.map((name) => `n${name.replaceAll("/", "_").toWellFormed()}`);
        const url = createLinkPaths("token", 2).file(names.join("/") as Key, "view=1");
        const { pathname, search } = new URL(url, "https://files.example.com/s/token/a/b");
        expect(pathname.split("/").slice(3).map(decodeURIComponent)).toEqual(names);
        expect(search).toBe("?view=1");
      }),
    );
  });
});

test.each([
  ["image/jpeg", 1, "image"],
  ["image/svg+xml", 1, "image"],
  ["image/heic", 1, undefined],
  ["image/tiff", 1, undefined],
  ["video/mp4", 1, "video"],
  ["audio/mpeg", 1, "audio"],
  ["text/html", 1, "text"],
  ["application/json", 1, "text"],
  ["application/pdf", 1, "pdf"],
  ["image/jpeg", 0, undefined],
] as const)("%s with %d bytes has the preview %p", (mimeType, size, kind) => {
  expect(previewKind({ name: "file", mimeType, size })).toBe(kind);
});

test("code whose media type is unknown has the preview of a text", () => {
  const binary = { mimeType: "application/octet-stream", size: 1 };
  expect(previewKind({ ...binary, name: "app.tsx" })).toBe("text");
  expect(previewKind({ ...binary, name: "Makefile" })).toBe("text");
  expect(previewKind({ ...binary, name: "app.exe" })).toBeUndefined();
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [99_950, "100 KB"],
  [5_368_709_120, "5.4 GB"],
])("formats %d bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
