import { type Content, html } from "./html.ts";
import { mark } from "./mark.ts";

/** The files that the build of the dashboard adds to the pages: URLs relative to the site. */
export interface BuiltFiles {
  /** The script of the pages. */
  readonly script: string | undefined;
  /** The passages that the search reads. */
  readonly search: string;
}

export interface Layout {
  readonly title: string;
  /** For search engines and link previews. */
  readonly description: string;
  /** The path from the page to the site. */
  readonly up: "" | "../" | "../../";
  /** Marks the current page in the navigation. */
  readonly section: "guides" | "api";
  readonly content: Content;
  readonly built?: BuiltFiles | undefined;
}

const SITE = [
  { section: "guides", path: "docs", label: "Guides" },
  { section: "api", path: "docs/api", label: "API reference" },
  { section: undefined, path: "files", label: "Dashboard" },
] as const;

/** A whole page. URLs are relative, so that pages also work under a path prefix of a proxy. */
export function page(layout: Layout): string {
  const { title, description, up, section, content, built } = layout;
  const site = SITE.map(
    (each) =>
      html`<a href="${up}${each.path}"${each.section === section ? html` aria-current="page"` : undefined}>${each.label}</a>`,
  );
  // The script shows what works only with it.
  const tools =
    built?.script === undefined
      ? undefined
      : html`<form class="search" id="docs-search" role="search" data-index="${up}${built.search}" data-docs="${up}docs/" hidden>
<input type="search" id="docs-query" placeholder="Search" aria-label="Search the documents" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="docs-results" aria-autocomplete="list">
<div id="docs-results" role="listbox" aria-label="Results" hidden></div>
<p class="none" id="docs-none" role="status" hidden></p>
</form>`;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${up}assets/mark.svg" type="image/svg+xml">
<link rel="preload" href="${up}assets/inter-latin.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${up}assets/holdall.css">
<script src="${up}assets/theme.js"></script>
${built?.script && html`<script type="module" src="${up}${built.script}"></script>`}
</head>
<body class="docs" data-site="${up === "" ? "./" : up}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${up === "" ? "./" : up}">${mark}Holdall</a>
<nav class="site" aria-label="Site">${site}</nav>
${tools}
</header>
${content}
</body>
</html>
`;
  return document.markup;
}
