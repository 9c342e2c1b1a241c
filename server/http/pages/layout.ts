import { type Content, html } from "./html.ts";
import { mark } from "./mark.ts";

export interface Layout {
  readonly title: string;
  /** For search engines and link previews. */
  readonly description: string;
  /** Marks the current page in the navigation. */
  readonly path: "docs" | "durability" | "security" | "scaling";
  readonly content: Content;
}

const SITE = [
  { path: "docs", label: "API reference" },
  { path: "durability", label: "Durability" },
  { path: "security", label: "Security" },
  { path: "scaling", label: "Scaling" },
  { path: "files", label: "Dashboard" },
];

/** A whole page. URLs are relative, so that pages also work under a path prefix of a proxy. */
export function page({ title, description, path, content }: Layout): string {
  const site = SITE.map((each) =>
    each.path === path
      ? html`<a href="${each.path}" aria-current="page">${each.label}</a>`
      : html`<a href="${each.path}">${each.label}</a>`,
  );
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="assets/mark.svg" type="image/svg+xml">
<link rel="preload" href="assets/inter-latin.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="assets/holdall.css">
<script src="assets/theme.js"></script>
</head>
<body class="docs">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="./">${mark}Holdall</a>
<nav class="site" aria-label="Site">${site}</nav>
</header>
${content}
</body>
</html>
`;
  return document.markup;
}
