import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { ShownText } from "./pages/text-content.ts";
import { createTextRenderer } from "./render-text.ts";

const renderer = createTextRenderer([join(import.meta.dir, "../../main.ts")]);
afterAll(() => renderer.close());

async function render(name: string, text: string): Promise<string> {
  const shown: ShownText = {
    file: { name, mimeType: "text/plain", size: text.length },
    text,
    isWhole: true,
    isSource: false,
    images: { folder: "", root: "token" },
  };
  return (await renderer.renderText(shown)).markup;
}

test("Markdown and code are rendered by another process", async () => {
  expect(await render("a.md", "# Title ![x](a.png)")).toContain('src="token/a.png"');
  expect(await render("a.ts", "const a = 1;")).toContain('<span class="token-keyword">');
});

test.each([
  ["quotes in quotes.md", ">".repeat(60_000)],
  ["brackets.md", "[".repeat(30_000) + "]".repeat(30_000)],
  ["words.cpp", "a ".repeat(30_000)],
])("%s is shown as it is written, and this process goes on meanwhile", async (name, text) => {
  let isDone = false;
  let longest = 0;
  const shown = render(name, text).finally(() => {
    isDone = true;
  });
  for (let last = performance.now(); !isDone; ) {
    await Bun.sleep(5);
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  expect(await shown).toStartWith("<pre ");
  expect(longest).toBeLessThan(1_000);
  // It is not tried again.
  const startedAt = performance.now();
  await render(name, text);
  expect(performance.now() - startedAt).toBeLessThan(500);
  expect(await render("b.md", "# Next")).toContain("<h2");
});
