import type {
  DocumentElement,
  DocumentNode,
} from "../../../../contract/documents/document-node.ts";
import type { Key } from "../../../domain/records.ts";
import { type Content, html, type Markup, trusted } from "../../pages/html.ts";

/** The URL of an image in a document; undefined: it is not shared. */
export type ImageUrl = (key: Key) => string;

/** Renders a document as HTML. Its texts and URLs are escaped; its tags are those of `DocumentNode`, which no document chooses. */
export const documentContent = (
  nodes: readonly DocumentNode[],
  imageUrl: ImageUrl | undefined,
): Content => nodes.map((node) => (typeof node === "string" ? node : elementOf(node, imageUrl)));

const EMPTY: ReadonlySet<string> = new Set(["br", "hr"]);

function elementOf(element: DocumentElement, imageUrl: ImageUrl | undefined): Markup {
  const { kind, tag, href, title, alt, start, imageKey } = element;
  if (imageKey !== undefined) {
    const src = imageUrl?.(imageKey as Key) ?? "";
    return html`<img src="${src}" alt="${alt ?? ""}" loading="lazy">`;
  }
  // A plain token needs no element.
  if (kind === "token") return html`${documentContent(element.children, imageUrl)}`;
  const open = html`${trusted(`<${tag}`)} class="${kind}"${
    href === undefined ? undefined : html` href="${href}" target="_blank" rel="noopener noreferrer"`
  }${title === undefined ? undefined : html` title="${title}"`}${
    start === undefined || start === 1 ? undefined : html` start="${start}"`
  }>`;
  if (EMPTY.has(tag)) return open;
  const whole = html`${open}${documentContent(element.children, imageUrl)}${trusted(`</${tag}>`)}`;
  // What is wider than the page scrolls, also by keyboard.
  if (kind === "code")
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Code">${whole}</div>`;
  if (kind === "table")
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Table">${whole}</div>`;
  return whole;
}
