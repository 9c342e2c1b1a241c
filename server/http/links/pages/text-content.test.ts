import { expect, test } from "bun:test";
import { textContent } from "./text-content.ts";

const shown = (name: string, text: string, { isWhole = true, isSource = false } = {}): string =>
  textContent({
    file: { name, mimeType: "text/plain", size: text.length },
    text,
    isWhole,
    isSource,
    images: { folder: "sub/", root: "token" },
  }).markup;

test("Markdown is rendered, and its markup and links to scripts stay text", () => {
  const text =
    '# Title\n\n<script>alert(1)</script>\n\n**bold** [bad](javascript:alert(1)) [good](https://example.com/?a="b)\n\n![x](https://example.com/x.png) ![y](y%22.png)';
  const page = shown("a.md", text);
  expect(page).toContain('<h2 class="heading1">Title</h2>');
  expect(page).toContain('<strong class="strong">bold</strong>');
  expect(page).not.toContain("<script");
  expect(page).not.toMatch(/href="javascript|src="https/);
  expect(page).toContain('href="https://example.com/?a=&quot;b"');
  expect(page).toContain('<img src="token/sub/y%22.png"');
  expect(shown("a.md", text, { isSource: true })).toContain("# Title");
});

test("comma-separated values are a table, without a row that the excerpt cuts", () => {
  const page = shown("a.csv", 'id,name\n1,"<b>"\n2,cu', { isWhole: false });
  expect(page).toContain('<th scope="col" dir="auto">name</th>');
  expect(page).toContain('<td dir="auto">&lt;b&gt;</td>');
  expect(page).not.toContain("cu<");
});

test("a table says which rows and columns it leaves out", () => {
  const wide = `${"x,".repeat(59)}x\n`;
  expect(shown("a.csv", wide)).toContain("These are 50 of 60 columns.");
  const long = "a,b\n".repeat(1_501);
  expect(shown("a.csv", long)).toContain("These are the first 500 of 1,500 rows.");
  expect(shown("a.csv", long, { isWhole: false })).toContain("These are the first 500 rows.");
});

test("JSON that is nested deeply does not make a page of many times its length", () => {
  const text = "[".repeat(20_000) + "]".repeat(20_000);
  expect(shown("a.json", text).length).toBeLessThan(500_000);
});

test("code that is nested too deeply for the highlighter is shown plain", () => {
  expect(shown("a.js", "`${".repeat(20_000))).toContain("`${`${");
});

test("images of Markdown stay below the link", () => {
  const page = shown("a.md", "![x](%2e%2e/%2e%2e/%2e%2e/api/keys) ![x](..%2f..%2f..%2fapi/keys)");
  expect(page).not.toContain("<img");
});

test("JSON is formatted, code is highlighted, and other text is as it is", () => {
  expect(shown("a.json", '{"a":1}').replaceAll(/<\/?span[^>]*>/g, "")).toContain(
    "{\n  &quot;a&quot;: 1\n}",
  );
  expect(shown("a.ts", "const a = 1;")).toContain('<span class="token-keyword">const</span>');
  expect(shown("a.txt", "const <a>")).toContain(">const &lt;a&gt;</pre>");
});
