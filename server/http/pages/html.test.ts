import { expect, test } from "bun:test";
import fc from "fast-check";
import { html, prose } from "./html.ts";

const CHARACTERS: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

test("inserted text is escaped and stays the same text", () => {
  const awkward = fc.string({
    unit: fc.constantFrom("<", ">", '"', "'", "&", "a", ";", "lt", "é"),
  });
  fc.assert(
    fc.property(awkward, (text) => {
      const { markup } = html`${text}`;
      expect(markup).not.toMatch(/[<>"']/);
      expect(markup.replace(/&[a-z#0-9]+;/g, (entity) => CHARACTERS[entity] ?? "?")).toBe(text);
    }),
  );
});

test("inserts markup and lists as they are and skips undefined", () => {
  const items = ["a", undefined, html`<b>${"<"}</b>`, [1, "&"]];
  expect(html`<p>${items}</p>`.markup).toBe("<p>a<b>&lt;</b>1&amp;</p>");
});

test("prose supports only code", () => {
  expect(html`${prose("a `<b>` *c*")}`.markup).toBe("a <code>&lt;b&gt;</code> *c*");
});
