import { readFileSync } from "node:fs";
import { html, trusted } from "./html.ts";
import { page } from "./layout.ts";

/** A document that the repository keeps: `path` is its address and, in `docs`, its file. */
export interface Document {
  readonly path: "durability" | "security" | "scaling";
  readonly title: string;
  readonly description: string;
}

export const documents: readonly Document[] = [
  {
    path: "durability",
    title: "What an answer of Holdall promises",
    description: "What is on the disk when a file host says that a file is stored.",
  },
  {
    path: "security",
    title: "Whom Holdall defends against",
    description: "What a file host does against hostile input, and what is its operator's job.",
  },
  {
    path: "scaling",
    title: "Holdall past one machine",
    description: "What many servers share, what they were measured at, and what larger loads need.",
  },
];

export function documentPage(document: Document): string {
  const file = new URL(`../../../docs/${document.path}.md`, import.meta.url);
  const text = withoutLinksInside(readFileSync(file, "utf8"));
  const content = html`<main id="content" class="document" tabindex="-1">${trusted(Bun.markdown.html(text))}</main>`;
  return page({ ...document, content });
}

/** Other files of the repository are not served. */
const withoutLinksInside = (text: string): string =>
  text.replace(/\[([^\]]*)\]\(\.\.\/[^)]*\)/g, "$1");
