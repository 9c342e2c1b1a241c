import { expect, test } from "bun:test";
import fc from "fast-check";
import { linkSnippets, shellQuote } from "./link-snippets.ts";

const file = (name: string, mimeType: string) => ({
  id: "f1",
  name,
  key: name,
  url: "api/hosting/x",
  folderId: "root",
  mimeType,
  size: 1,
  visibility: "private" as const,
  createdAt: "2026-01-01 00:00:00",
  updatedAt: "2026-01-01 00:00:00",
});

const code = (name: string, mimeType: string, label: string) =>
  linkSnippets({
    file: file(name, mimeType),
    url: "https://files.example.com/api/hosting/x?exp=1&sig=a",
    siteUrl: "https://files.example.com",
    lifetime: 3600,
  }).find((snippet) => snippet.label === label)?.code ?? "";

test("shell quoting survives a round trip through sh", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme-ascii", maxLength: 30 }), async (text) => {
      const name = `n${text}`;
      const { stdout } = Bun.spawnSync(["sh", "-c", `printf %s ${shellQuote(name)}`]);
      expect(stdout.toString()).toBe(name);
    }),
    { numRuns: 40 },
  );
  expect(shellQuote("-rf")).toBe("'./-rf'");
});

test("escapes markup in names", () => {
  const line = code(`"><script>alert(1)</script>.png`, "image/png", "HTML");
  expect(line).not.toContain("<script>");
  expect(line).toStartWith(
    '<img src="https://files.example.com/api/hosting/x?exp=1&amp;sig=a" alt="&quot;&gt;',
  );
});

test("embeds media and links everything else", () => {
  expect(code("a.mp4", "video/mp4", "HTML")).toStartWith("<video controls");
  expect(code("a.pdf", "application/pdf", "HTML")).toStartWith("<a href=");
});
