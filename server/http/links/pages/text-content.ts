import type {
  DocumentElement,
  DocumentNode,
} from "../../../../contract/documents/document-node.ts";
import { formatJson } from "../../../../contract/documents/format-json.ts";
import { highlight } from "../../../../contract/documents/highlight.ts";
import { findDelimiter, parseCsv } from "../../../../contract/documents/parse-csv.ts";
import { readMarkdown } from "../../../../contract/documents/read-markdown.ts";
import {
  isMarkdown,
  languageOf,
  type TextFile,
  textStructureOf,
} from "../../../../contract/documents/text-structure.ts";
import type { Key } from "../../../domain/records.ts";
import { type Content, html, type Markup, trusted } from "../../pages/html.ts";
import { formatNumber } from "./format-count.ts";
import { encodePath } from "./link-paths.ts";

/** Goes to another process, so it has no functions. */
export interface ShownText {
  readonly file: TextFile;
  readonly text: string;
  /** false: it is the start of the file. */
  readonly isWhole: boolean;
  /** As it is written. */
  readonly isSource: boolean;
  /** The folder and the root, for images beside the file; undefined: the file is shared alone. */
  readonly images: { readonly folder: string; readonly root: string } | undefined;
}

/** Whether showing the text takes a parser whose time has no bound. */
export const parses = ({ file, isSource }: Pick<ShownText, "file" | "isSource">): boolean =>
  !/\.(?:txt|log)$/i.test(file.name) || isMarkdown(file)
    ? isSource || textStructureOf(file) !== "table"
    : false;

/** Whether a text is shown in another way than as it is written. */
export const isRendered = (file: TextFile): boolean =>
  isMarkdown(file) || textStructureOf(file) !== undefined;

/** The level of the heading with the title of the page. */
const ABOVE = 1;
const MAX_ROWS = 500;
const MAX_COLUMNS = 50;
/** Indented JSON that is longer stays as it is written: a page of deep levels would be 200 times its file. */
const MAX_JSON_CHARACTERS = 500_000;

/** A text as the dashboard shows it: Markdown, a table, formatted JSON, or code. */
export function textContent({ file, text, isWhole, isSource, images }: ShownText): Markup {
  if (!isSource && isMarkdown(file)) {
    const nodes = readMarkdown(text, { folder: images?.folder, above: ABOVE });
    const url = images && ((key: Key) => `${images.root}/${encodePath(key)}`);
    return html`<article class="document">${documentContent(nodes, url)}</article>`;
  }
  const structure = isSource ? undefined : textStructureOf(file);
  if (structure === "table") return table(text, isWhole, file.name);
  const formatted = structure === "json" && isWhole ? formatJson(text) : undefined;
  if (formatted !== undefined && formatted.length > MAX_JSON_CHARACTERS) {
    return plainText(file.name, text);
  }
  const language = structure === "json" ? "json" : languageOf(file.name);
  return html`<pre tabindex="0" role="region" aria-label="Content of ${file.name}">${documentContent(highlight(formatted ?? text, language), undefined)}</pre>`;
}

/** A text as it is written. */
export const plainText = (name: string, text: string): Markup =>
  html`<pre tabindex="0" role="region" aria-label="Content of ${name}">${text}</pre>`;

function table(text: string, isWhole: boolean, name: string): Markup {
  const all = parseCsv(text, findDelimiter(text));
  // The excerpt may end within the last row.
  const [head = [], ...rows] = isWhole || all.length < 2 ? all : all.slice(0, -1);
  const cells = (row: readonly string[], tag: "th" | "td"): Markup[] =>
    row
      .slice(0, MAX_COLUMNS)
      .map((cell) =>
        tag === "th"
          ? html`<th scope="col" dir="auto">${cell}</th>`
          : html`<td dir="auto">${cell}</td>`,
      );
  const columns = [head, ...rows].reduce((most, { length }) => Math.max(most, length), 0);
  const cuts = [
    ...(rows.length > MAX_ROWS
      ? [`the first ${MAX_ROWS} ${isWhole ? `of ${formatNumber(rows.length)} ` : ""}rows`]
      : []),
    ...(columns > MAX_COLUMNS ? [`${MAX_COLUMNS} of ${formatNumber(columns)} columns`] : []),
  ];
  return html`<div class="table" tabindex="0" role="region" aria-label="Content of ${name}"><table><thead><tr>${cells(head, "th")}</tr></thead><tbody>${rows
    .slice(0, MAX_ROWS)
    .map((row) => html`<tr>${cells(row, "td")}</tr>\n`)}</tbody></table></div>${
    cuts.length === 0 ? undefined : html`<p class="cut">These are ${cuts.join(", and ")}.</p>`
  }`;
}

/** The URL of an image in a document; undefined: it is not shared. */
type ImageUrl = (key: Key) => string;

/** Renders a document as HTML. Its texts and URLs are escaped; its tags are those of `DocumentNode`, which no document chooses. */
const documentContent = (nodes: readonly DocumentNode[], imageUrl: ImageUrl | undefined): Content =>
  nodes.map((node) => (typeof node === "string" ? node : elementOf(node, imageUrl)));

const EMPTY: ReadonlySet<string> = new Set(["br", "hr"]);

function elementOf(element: DocumentElement, imageUrl: ImageUrl | undefined): Markup {
  const { kind, tag, href, title, alt, start, imageKey } = element;
  if (imageKey !== undefined) {
    const src = imageUrl?.(imageKey as Key) ?? "";
    return html`<img src="${src}" alt="${alt ?? ""}" loading="lazy">`;
  }
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
