import type { Millis } from "../../../domain/records.ts";
import { type Brand, colorPath, logoPath, titleWith } from "../../brand/brand.ts";
import { type Content, html, type Markup } from "../../pages/html.ts";
import { mark } from "../../pages/mark.ts";
import { iconSprite } from "./icons.ts";
import type { LinkPaths } from "./link-paths.ts";

/** What every page of a link has. */
export interface PageFrame {
  readonly paths: LinkPaths;
  /** The scripts of the page carry it; every response has another one. */
  readonly nonce: string;
  /** null: never, or the page does not say. */
  readonly expiresAt: Millis | null;
  readonly brand: Brand;
}

export interface Shell {
  readonly title: string;
  /** For link previews. */
  readonly description: string;
  /** The absolute URL of an image for link previews, which everybody with the link may see. */
  readonly picture?: string | undefined;
  /** Its style sheet, besides that of all pages. */
  readonly styles?: "link-file" | "link-folder" | "link-drop";
  /** Further elements of the head. */
  readonly head?: Content;
  /** Further scripts, as URLs. */
  readonly scripts?: readonly string[] | undefined;
  /** Notices are narrow and in the middle; galleries take the whole width, and pictures and films a dark window. */
  readonly width: "narrow" | "form" | "text" | "wide" | "dark";
  readonly content: Content;
  /** The page's script adds more of the same. */
  readonly isContinued?: boolean;
  /** Default: true. */
  readonly isShared?: boolean;
}

/** Times, pages before and after this one, files that open in place, and viewers. */
const USES_SCRIPT = /<time|rel="(?:prev|next)"|data-(?:file|viewer)/;

/** A whole page of a link. Nothing in it leads to the owner's dashboard. */
export function shell(frame: PageFrame, page: Shell): string {
  const { paths, nonce, brand } = frame;
  const content = html`${page.content}`;
  const usesScript = USES_SCRIPT.test(content.markup);
  const own = usesScript ? [paths.site("assets/links.js")] : [];
  const scripts = [...own, ...(page.scripts ?? [])];
  const document = html`<!doctype html>
<html lang="en">
<head>
${headOf(page, brand)}
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0f1113">
<link rel="icon" href="${paths.site("assets/mark.svg")}" type="image/svg+xml">
<link rel="preload" href="${paths.site("assets/inter-latin.woff2")}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${paths.site("assets/links.css")}">
${brand.color === "" ? undefined : html`<link rel="stylesheet" href="${paths.site(colorPath(brand.color))}">`}
${page.styles === undefined ? undefined : html`<link rel="stylesheet" href="${paths.site(`assets/${page.styles}.css`)}">`}
${page.head}
${scripts.map((url) => html`<script type="module" nonce="${nonce}" src="${url}"></script>\n`)}</head>
<body class="${page.width}">
${iconSprite(content, page.isContinued === true)}
${sender(frame)}
<main id="content">
${content}
</main>
<footer><span class="brand">${page.isShared === false ? undefined : "Shared with "}${mark}Holdall</span></footer>
</body>
</html>
`;
  return document.markup;
}

const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** A time, as a date. The page's script shows the visitor's own. */
export function dateOf(at: Millis): Markup {
  const date = new Date(at);
  return html`<time datetime="${date.toISOString()}">${days.format(date)}</time>`;
}

/** From whom the link is: the name and the logo of the instance. */
function sender({ paths, brand: { name, logo } }: PageFrame): Markup | undefined {
  if (name === "" && logo === null) return undefined;
  const picture =
    logo &&
    html`<img class="logo" src="${paths.site(logoPath(logo))}" width="${logo.width}" height="${logo.height}" alt="">`;
  return html`<header class="sender">${picture ?? undefined}${name === "" ? undefined : html`<bdi>${name}</bdi>`}</header>`;
}

/** Until when the link works. */
export const expiryNote = ({ expiresAt }: Pick<PageFrame, "expiresAt">): Markup | undefined =>
  expiresAt === null ? undefined : html`<span>Available until ${dateOf(expiresAt)}</span>`;

/** A page for programs that only show a preview of the link: the same head, without any content. */
export function previewPage(
  page: Pick<Shell, "title" | "description" | "picture">,
  brand: Brand,
): string {
  return html`<!doctype html>
<html lang="en">
<head>
${headOf(page, brand)}
</head>
<body></body>
</html>
`.markup;
}

const headOf = (
  { title, description, picture }: Pick<Shell, "title" | "description" | "picture">,
  brand: Brand,
): Markup => html`<meta charset="utf-8">
<title>${titleWith(title, brand)}</title>
<meta name="description" content="${description}">
<meta name="robots" content="noindex, nofollow">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${brand.name === "" ? "Holdall" : brand.name}">
<meta name="twitter:card" content="${picture === undefined ? "summary" : "summary_large_image"}">${
  picture === undefined ? undefined : html`\n<meta property="og:image" content="${picture}">`
}`;
