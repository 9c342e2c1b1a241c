import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with {
  type: "file",
};
import { fileBlob } from "../../runtime/files.ts";
import { accepts } from "../../semantics/accepts.ts";
import { docsPage } from "./docs.ts";
import { documentPage, documents } from "./document.ts";
import { favicon } from "./mark.ts";

export interface Page {
  /** Text is rendered on first use and cached; a file is read when it is sent. */
  readonly body: string | Blob;
  readonly headers: Readonly<Record<string, string>>;
}

/** The pages use only files of this server, and no inline scripts or styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** The static pages and their files, by path. */
export function pages(openApi: () => string): Map<string, Page> {
  return new Map<string, Page>([
    ["/docs", pageOf("text/html", docsPage)],
    ...documents.map((each): [string, Page] => [
      `/${each.path}`,
      pageOf("text/html", () => documentPage(each)),
    ]),
    ["/openapi.json", pageOf("application/json", openApi)],
    ["/assets/holdall.css", pageOf("text/css", () => readStyles(PAGE_STYLES))],
    ["/assets/links.css", pageOf("text/css", () => compactCss(readStyles(LINK_STYLES)))],
    ...Object.entries(LINK_PAGE_STYLES).map(([name, paths]): [string, Page] => [
      `/assets/${name}.css`,
      pageOf("text/css", () => compactCss(joinStyles(paths))),
    ]),
    [
      "/assets/links.js",
      pageOf("text/javascript", () => compactScript(read("../links/pages/links.js"))),
    ],
    [
      "/assets/lightbox.js",
      pageOf("text/javascript", () => compactScript(read("../links/pages/lightbox.js"))),
    ],
    ["/assets/theme.js", pageOf("text/javascript", () => read("theme.js"))],
    ["/assets/inter-latin.woff2", fontPage()],
    ["/assets/mark.svg", pageOf("image/svg+xml", () => favicon)],
  ]);
}

function pageOf(type: string, render: () => string): Page {
  let cached: string | undefined;
  return {
    get body() {
      cached ??= render();
      return cached;
    },
    headers: headersOf(`${type}; charset=utf-8`, "no-cache"),
  };
}

/** The dashboard's typeface, which these pages need even if the dashboard has not been built. */
const fontPage = (): Page => ({
  body: fileBlob(inter),
  headers: headersOf("font/woff2", "public, max-age=604800"),
});

const headersOf = (type: string, cacheControl: string): Readonly<Record<string, string>> => ({
  "Content-Type": type,
  "Cache-Control": cacheControl,
  "Content-Security-Policy": POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
});

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

const joinStyles = (paths: readonly string[]): string =>
  paths.map((path) => read(`${path}.css`)).join("\n");

const readStyles = (paths: readonly string[]): string => joinStyles([BASE_STYLES, ...paths]);

/* Style sheets are one file for the browser, in this order. */
const BASE_STYLES = "styles/base";
const PAGE_STYLES = ["site", "content", "reference", "documents"].map((name) => `styles/${name}`);
const LINK_STYLES = ["elements", "frame", "controls"].map(linkStyle);
/** Besides, for pages of one kind. Chosen files are a list, as those of a folder. */
const LINK_PAGE_STYLES = {
  "link-file": [linkStyle("file")],
  "link-folder": [linkStyle("folder")],
  "link-drop": [linkStyle("folder"), linkStyle("drop")],
};

function linkStyle(name: string): string {
  return `../links/pages/styles/${name}`;
}

/** Without comments, indentation and empty lines. */
const compactCss = (css: string): string =>
  css.replace(/\/\*.*?\*\//gs, "").replace(/\n\s*/g, "\n");

/** Without lines of comments, indentation and empty lines. The scripts have no text of several lines. */
const compactScript = (script: string): string =>
  script.replace(/^\s*(?:\/\/.*|\/\*.*\*\/)$/gm, "").replace(/\n\s*/g, "\n");

/** Responds with a static page or file; text is compressed if the client can read that. */
export function pageResponse({ body, headers }: Page, request: Request): Response {
  if (typeof body !== "string") return new Response(body, { headers });
  const varying = { ...headers, Vary: "Accept-Encoding" };
  if (!accepts(request.headers.get("accept-encoding"), "gzip")) {
    return new Response(body, { headers: varying });
  }
  return new Response(compressed(body), { headers: { ...varying, "Content-Encoding": "gzip" } });
}

/** By text: there are few pages, which never change. */
const cache = new Map<string, Uint8Array<ArrayBuffer>>();

function compressed(text: string): Uint8Array<ArrayBuffer> {
  const cached = cache.get(text) ?? new Uint8Array(gzipSync(text, { level: 9 }));
  cache.set(text, cached);
  return cached;
}
