import { readFileSync } from "node:fs";
import { markdownToHtml } from "../../runtime/markup.ts";
import { html, trusted } from "./html.ts";
import { page } from "./layout.ts";

/** A document from the repository's `docs` folder: `path` is its URL path and its file name. */
export interface Document {
  readonly path: "durability" | "security" | "scaling";
  readonly title: string;
  readonly description: string;
}

export const documents: readonly Document[] = [
  {
    path: "durability",
    title: "Durability in Holdall",
    description: "What is on disk when Holdall responds that a file is stored.",
  },
  {
    path: "security",
    title: "Holdall's threat model",
    description: "How Holdall handles hostile input, and what its operator has to do.",
  },
  {
    path: "scaling",
    title: "Scaling Holdall",
    description: "What several servers share, measured throughput, and what larger loads need.",
  },
];

export function documentPage(document: Document): string {
  const file = new URL(`../../../docs/${document.path}.md`, import.meta.url);
  const text = withoutRepositoryLinks(readFileSync(file, "utf8"));
  const content = html`<main id="content" class="document" tabindex="-1">${trusted(markdownToHtml(text))}</main>`;
  return page({ ...document, content });
}

/** Links to other files of the repository, which are not served, become plain text. */
const withoutRepositoryLinks = (text: string): string =>
  text.replace(/\[([^\]]*)\]\(\.\.\/[^)]*\)/g, "$1");
