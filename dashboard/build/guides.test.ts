import { expect, test } from "bun:test";
import { renderGuide } from "./guides.ts";

test("headings have the anchors of GitHub, each its own", () => {
  const { title, headings, html } = renderGuide(
    "# A `b` & c\n\n## Who may?\n\n### X\n\n## Who may?",
  );
  expect(title).toBe("A b & c");
  expect(headings).toEqual([
    { id: "who-may", text: "Who may?", level: 2 },
    { id: "x", text: "X", level: 3 },
    { id: "who-may-1", text: "Who may?", level: 2 },
  ]);
  expect(html).toContain("<h1>A <code>b</code> &amp; c</h1>");
  expect(html).toContain('<h2 id="who-may"><a class="anchor" href="#who-may">Who may?</a></h2>');
});

test("links lead to pages, other files of the repository are text, and markup is text", () => {
  const { html } = renderGuide(
    "[a](sharing.md#limits) [b](../compose.yaml) [c](https://example.com) [d](#here) <b>e</b>",
  );
  expect(html).toBe(
    '<p><a href="sharing#limits">a</a> b <a href="https://example.com" rel="noopener noreferrer">c</a> <a href="#here">d</a> <code>&lt;b&gt;</code>e<code>&lt;/b&gt;</code></p>',
  );
});

test("blocks in different languages are tabs, others are not", () => {
  const block = (language: string) => `\`\`\`${language}\nx = 1\n\`\`\``;
  const tabs = renderGuide([block("sh"), block("ts"), block("py")].join("\n\n")).html;
  expect(tabs.match(/data-language="[A-Za-z]+"/g)).toEqual([
    'data-language="Shell"',
    'data-language="TypeScript"',
    'data-language="Python"',
  ]);
  expect(tabs).toStartWith('<div class="samples tabs">');
  expect(renderGuide([block("sh"), block("sh")].join("\n\n")).html).not.toContain("tabs");
  expect(renderGuide(block("ts")).html).toContain("<figcaption>TypeScript</figcaption>");
  expect(renderGuide(block("")).html).not.toContain("figcaption");
  expect(renderGuide(block("ts")).html).toContain('<span class="token-number">1</span>');
});

test("the search gets the text below each heading", () => {
  const { passages } = renderGuide("# T\n\nOne *two*.\n\n## H\n\n| a | b |\n|---|---|\n| c | d |");
  expect(
    passages.map(({ text, ...rest }) => ({ ...rest, text: text.replace(/\s+/g, " ") })),
  ).toEqual([
    { id: "", heading: "T", text: "One two." },
    { id: "h", heading: "H", text: "a b c d" },
  ]);
});
