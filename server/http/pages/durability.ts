import { readFileSync } from "node:fs";
import { html, trusted } from "./html.ts";
import { page } from "./layout.ts";

/** The page about durability, which the repository keeps as a document. */
export function durabilityPage(): string {
  const text = readFileSync(new URL("../../../docs/durability.md", import.meta.url), "utf8");
  return page({
    path: "durability",
    title: "What an answer of Holdall promises",
    description: "What is on the disk when a file host says that a file is stored.",
    content: html`<main id="content" class="document" tabindex="-1">${trusted(Bun.markdown.html(text))}</main>`,
  });
}
