import { readFileSync } from "node:fs";
import { html, trusted } from "./html.ts";
import { page } from "./layout.ts";

/** The page about security, which the repository keeps as a document. */
export function securityPage(): string {
  const text = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
  return page({
    path: "security",
    title: "Whom Holdall defends against",
    description: "What a file host does against hostile input, and what is its operator's job.",
    content: html`<main id="content" class="document" tabindex="-1">${trusted(Bun.markdown.html(withoutLinksInside(text)))}</main>`,
  });
}

/** Other files of the repository are not served. */
const withoutLinksInside = (text: string): string =>
  text.replace(/\[([^\]]*)\]\(\.\.\/[^)]*\)/g, "$1");
