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
import { html, type Markup } from "../../pages/html.ts";
import { documentContent, type ImageUrl } from "./document-content.ts";

export interface ShownText {
  readonly file: TextFile;
  readonly text: string;
  /** false: it is the start of the file. */
  readonly isWhole: boolean;
  /** As it is written. */
  readonly isSource: boolean;
  /** Of files beside it; undefined: the file is shared alone. */
  readonly images: { readonly folder: string; readonly url: ImageUrl } | undefined;
}

/** Whether a text is shown in another way than as it is written. */
export const isRendered = (file: TextFile): boolean =>
  isMarkdown(file) || textStructureOf(file) !== undefined;

/** The level of the heading with the title of the page. */
const ABOVE = 1;
const MAX_ROWS = 500;
const MAX_COLUMNS = 50;

/** A text as the dashboard shows it: Markdown, a table, formatted JSON, or code. */
export function textContent({ file, text, isWhole, isSource, images }: ShownText): Markup {
  if (!isSource && isMarkdown(file)) {
    const nodes = readMarkdown(text, { folder: images?.folder, above: ABOVE });
    return html`<article class="document">${documentContent(nodes, images?.url)}</article>`;
  }
  const structure = isSource ? undefined : textStructureOf(file);
  if (structure === "table") return table(text, isWhole, file.name);
  const json = structure === "json" && isWhole ? formatJson(text) : undefined;
  const language = structure === "json" ? "json" : languageOf(file.name);
  return html`<pre tabindex="0" role="region" aria-label="Content of ${file.name}">${documentContent(highlight(json ?? text, language), undefined)}</pre>`;
}

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
  return html`<div class="table" tabindex="0" role="region" aria-label="Content of ${name}"><table><thead><tr>${cells(head, "th")}</tr></thead><tbody>${rows
    .slice(0, MAX_ROWS)
    .map((row) => html`<tr>${cells(row, "td")}</tr>\n`)}</tbody></table></div>${
    rows.length > MAX_ROWS
      ? html`<p class="cut">These are the first ${MAX_ROWS} of ${rows.length} rows.</p>`
      : undefined
  }`;
}
