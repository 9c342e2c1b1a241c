import { readFileSync } from "node:fs";
import { html, trusted } from "./html.ts";
import { page } from "./layout.ts";

/** The page about more than one machine, which the repository keeps as a document. */
export function scalingPage(): string {
  const text = readFileSync(new URL("../../../docs/scaling.md", import.meta.url), "utf8");
  return page({
    path: "scaling",
    title: "Holdall past one machine",
    description: "What many servers share, what they were measured at, and what larger loads need.",
    content: html`<main id="content" class="document" tabindex="-1">${trusted(Bun.markdown.html(text))}</main>`,
  });
}
