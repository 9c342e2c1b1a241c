import { type Content, html } from "./html.ts";
import { mark } from "./mark.ts";

export interface Layout {
  readonly title: string;
  /** What the page is about, for search engines and previews. */
  readonly description: string;
  readonly content: Content;
}

/** A whole page. Addresses are relative, so that it works below a path of a proxy as well. */
export function page({ title, description, content }: Layout): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="assets/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="assets/holdall.css">
</head>
<body class="docs">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="./">${mark}Holdall</a>
<nav class="site" aria-label="Site"><a href="docs">API reference</a><a href="durability">Durability</a><a href="files">Dashboard</a></nav>
</header>
${content}
</body>
</html>
`;
  return document.markup;
}
