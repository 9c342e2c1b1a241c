import type { DocumentElement, DocumentNode } from "../../contract/documents/document-node.ts";
import { readMarkdown } from "../../contract/documents/read-markdown.ts";

/** A document of the `docs` folder as HTML, without the page around it. */
export interface Guide {
  readonly title: string;
  /** The first paragraph, for search engines. */
  readonly description: string;
  readonly html: string;
  readonly headings: readonly GuideHeading[];
  /** The entries of the search. */
  readonly passages: readonly GuidePassage[];
}

export interface GuideHeading {
  readonly id: string;
  readonly text: string;
  readonly level: 2 | 3;
}

/** The text below a heading. */
export interface GuidePassage {
  /** Empty: the start of the document. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

const EMPTY: ReadonlySet<string> = new Set(["br", "hr"]);

/** The names of languages in tabs; others keep the one that the document gives. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: "Shell",
  bash: "Shell",
  ts: "TypeScript",
  tsx: "TypeScript",
  js: "JavaScript",
  py: "Python",
  python: "Python",
  go: "Go",
  php: "PHP",
  html: "HTML",
  json: "JSON",
  yaml: "YAML",
  sql: "SQL",
  nginx: "nginx",
};

/** Renders a document. Links to other documents lead to their pages; those to other files of the repository are text. */
export function renderGuide(markdown: string): Guide {
  const nodes = readMarkdown(markdown, { folder: undefined, above: 0 });
  const ids = createIds();
  const headings: GuideHeading[] = [];
  const passages: { id: string; heading: string; text: string }[] = [];
  let [title, description] = ["", ""];
  const html: string[] = [];

  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (node === undefined || typeof node === "string") continue;
    const level = Number(/^h([1-6])$/.exec(node.tag)?.[1] ?? 0);
    if (level > 0) {
      const text = textOf(node);
      const id = ids(text);
      if (level === 1) title = text;
      if (level === 2 || level === 3) headings.push({ id, text, level });
      passages.push({ id: level === 1 ? "" : id, heading: text, text: "" });
      html.push(level === 1 ? `<h1>${contentOf(node)}</h1>` : headingHtml(node, id));
      continue;
    }
    if (description === "" && node.kind === "paragraph") description = textOf(node);
    const passage = passages.at(-1);
    if (passage !== undefined) passage.text = `${passage.text} ${textOf(node)}`.trim();
    if (node.kind !== "code") {
      html.push(render(node));
      continue;
    }
    const blocks = [node];
    for (;;) {
      const next = nodes[at + 1];
      if (next === undefined || typeof next === "string" || next.kind !== "code") break;
      blocks.push(next);
      at += 1;
    }
    html.push(codeBlocks(blocks));
  }
  return { title, description, html: html.join("\n"), headings, passages };
}

/** The anchors that GitHub gives to headings, which links in the documents use. */
function createIds(): (text: string) => string {
  const taken = new Map<string, number>();
  return (text) => {
    const id = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    const count = taken.get(id) ?? 0;
    taken.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

const headingHtml = (node: DocumentElement, id: string): string =>
  `<${node.tag} id="${escapeText(id)}"><a class="anchor" href="#${escapeText(id)}">${contentOf(node)}</a></${node.tag}>`;

/** Blocks in different languages that follow each other say the same: the page's script makes tabs of them. */
function codeBlocks(blocks: readonly DocumentElement[]): string {
  const languages = new Set(blocks.map(({ language }) => language));
  const figures = blocks.map((block) => {
    const language = block.language ?? "";
    const caption = LANGUAGES[language] ?? language;
    const head = caption === "" ? "" : `<figcaption>${escapeText(caption)}</figcaption>`;
    return `<figure class="sample" data-language="${escapeText(caption)}">${head}<pre tabindex="0">${contentOf(block)}</pre></figure>`;
  });
  const areTabs = blocks.length > 1 && languages.size === blocks.length;
  return areTabs ? `<div class="samples tabs">${figures.join("")}</div>` : figures.join("\n");
}

function render(node: DocumentNode): string {
  if (typeof node === "string") return escapeText(node);
  const { kind, tag, href, title, start } = node;
  if (kind === "code") return codeBlocks([node]);
  if (kind === "blockedImage") return "";
  if (kind === "blockedLink") return localLink(node);
  const attributes = [
    kind.startsWith("token-") ? ` class="${kind}"` : "",
    href === undefined ? "" : ` href="${escapeText(href)}" rel="noopener noreferrer"`,
    title === undefined ? "" : ` title="${escapeText(title)}"`,
    start === undefined || start === 1 ? "" : ` start="${start}"`,
  ].join("");
  // A plain token needs no element.
  if (kind === "token") return contentOf(node);
  if (EMPTY.has(tag)) return `<${tag}>`;
  const whole = `<${tag}${attributes}>${contentOf(node)}</${tag}>`;
  return kind === "table"
    ? `<div class="wide" tabindex="0" role="group" aria-label="Table">${whole}</div>`
    : whole;
}

function localLink(node: DocumentElement): string {
  const content = contentOf(node);
  const [, slug, anchor = ""] = /^([a-z0-9-]+)\.md(#.*)?$/.exec(node.title ?? "") ?? [];
  if (slug !== undefined) return `<a href="${slug}${escapeText(anchor)}">${content}</a>`;
  if (node.title?.startsWith("#")) return `<a href="${escapeText(node.title)}">${content}</a>`;
  return content;
}

const contentOf = ({ children }: DocumentElement): string => children.map(render).join("");

function textOf(node: DocumentNode): string {
  if (typeof node === "string") return node;
  // Cells and items are words of their own.
  const separator = /^(?:table|tr|ul|ol|li|div|blockquote)$/.test(node.tag) ? " " : "";
  return node.children.map(textOf).join(separator);
}

const escapeText = (text: string): string => Bun.escapeHTML(text);
