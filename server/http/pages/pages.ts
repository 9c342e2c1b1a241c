import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { fileBlob } from "../../runtime/files.ts";
import { compactScript } from "../../runtime/scripts.ts";
import { accepts } from "../../semantics/accepts.ts";
import { type Guides, guidePage, guidesPage, missingPage, notBuiltPage } from "./guides.ts";
import inter from "./inter-latin.woff2" with { type: "file" };
import type { Layout } from "./layout.ts";
import { favicon } from "./mark.ts";
import { referencePages } from "./reference-pages.ts";
import { contentPolicy, ownWindow, securityHeaders } from "./security-headers.ts";
import { topics } from "./topics.ts";

export interface Page {
  /** Text is rendered on first use and cached; a file is read when it is sent. */
  readonly body: string | Blob;
  /** Default: 200. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The pages have no inline scripts or styles. */
const POLICY = contentPolicy("script-src 'self'", "img-src 'self' data:");

/** The static pages and their files, by path. */
export function pages(
  openApi: () => string,
  readGuides: () => Guides | undefined,
): Map<string, Page> {
  return new Map<string, Page>([
    ["/docs", guidePageOf(readGuides, "", guidesPage)],
    ...[...referencePages].map(([path, render]): [string, Page] => [
      `/docs/api${path}`,
      renewedPage(readGuides, render),
    ]),
    ...topics.map((topic): [string, Page] => [
      `/docs/${topic.slug}`,
      guidePageOf(readGuides, "../", (guides) => guidePage(topic, guides)),
    ]),
    ["/docs/", redirectTo("../docs")],
    ["/docs/api/", redirectTo("../api")],
    ["/docs/:missing", missing(readGuides, "../")],
    ["/docs/api/:missing", missing(readGuides, "../../")],
    // Where these documents were before.
    ...["durability", "security", "scaling"].map((path): [string, Page] => [
      `/${path}`,
      redirectTo(`docs/${path}`),
    ]),
    ["/openapi.json", pageOf("application/json", openApi)],
    ["/assets/holdall.css", pageOf("text/css", () => readStyles(PAGE_STYLES))],
    ["/assets/links.css", pageOf("text/css", () => compactCss(readStyles(LINK_STYLES)))],
    ...Object.entries(LINK_PAGE_STYLES).map(([name, paths]): [string, Page] => [
      `/assets/${name}.css`,
      pageOf("text/css", () => compactCss(joinStyles(paths))),
    ]),
    ...LINK_SCRIPTS.map((path): [string, Page] => [
      `/assets/${path.slice(path.lastIndexOf("/") + 1).replace(".ts", ".js")}`,
      pageOf("text/javascript", () => compactScript(read(path))),
    ]),
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

/** A page that is rendered again when the guides are built again. */
function renewedPage(
  readGuides: () => Guides | undefined,
  render: (guides: Guides | undefined) => string,
  status = 200,
): Page {
  let cached: { readonly guides: Guides | undefined; readonly text: string } | undefined;
  return {
    get body() {
      const guides = readGuides();
      if (cached === undefined || cached.guides !== guides)
        cached = { guides, text: render(guides) };
      return cached.text;
    },
    status,
    headers: headersOf("text/html; charset=utf-8", "no-cache"),
  };
}

/** Relative, so that it also works under a path prefix of a proxy. */
const redirectTo = (location: string): Page => ({
  body: "",
  status: 308,
  headers: { ...headersOf("text/html; charset=utf-8", "no-cache"), Location: location },
});

const missing = (readGuides: () => Guides | undefined, up: Layout["up"]): Page =>
  renewedPage(readGuides, (guides) => missingPage(guides, up), 404);

const guidePageOf = (
  readGuides: () => Guides | undefined,
  up: Layout["up"],
  render: (guides: Guides) => string | undefined,
): Page => renewedPage(readGuides, (guides) => (guides && render(guides)) ?? notBuiltPage(up));

/**
 * The dashboard's typeface, which these pages need even if the dashboard has not been built. Browsers load fonts only with
 * CORS, and a page in a sandbox, as that of a missing file, has another origin.
 */
const fontPage = (): Page => ({
  body: fileBlob(inter),
  headers: {
    ...headersOf("font/woff2", "public, max-age=604800"),
    "Access-Control-Allow-Origin": "*",
  },
});

const headersOf = (type: string, cacheControl: string): Readonly<Record<string, string>> => ({
  "Content-Type": type,
  "Cache-Control": cacheControl,
  "Content-Security-Policy": POLICY,
  ...(type.startsWith("text/html") && ownWindow),
  ...securityHeaders("no-referrer"),
});

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

const joinStyles = (paths: readonly string[]): string =>
  paths.map((path) => read(`${path}.css`)).join("\n");

const readStyles = (paths: readonly string[]): string => joinStyles([BASE_STYLES, ...paths]);

/* Style sheets are one file for the browser, in this order. */
const BASE_STYLES = "styles/base";
const PAGE_STYLES = ["site", "content", "tokens", "reference", "documents", "try"].map(
  (name) => `styles/${name}`,
);
const LINK_STYLES = ["elements", "frame", "controls"].map(linkStyle);
/** Besides, for pages of one kind. Chosen files are a list, as those of a folder. */
const LINK_PAGE_STYLES = {
  "link-file": [...["file", "texts", "pdf", "dark"].map(linkStyle), "styles/tokens"],
  "link-folder": [linkStyle("folder")],
  "link-drop": [linkStyle("folder"), linkStyle("drop")],
};

const LINK_SCRIPTS = [
  ...["links", "lightbox", "stage"].map((name) => `../links/pages/${name}.js`),
  "../../../contract/pictures/is-cut-off.ts",
];

function linkStyle(name: string): string {
  return `../links/pages/styles/${name}`;
}

/** Without comments, and without spaces at `{`, `}`, `;` and after `:`, which no text of the styles has. */
const compactCss = (css: string): string =>
  css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s*([{};]|:\s)\s*/g, (_, mark: string) => mark.trim())
    .replace(/(,?)\n\s*/g, (_, comma: string) => comma || "\n")
    .replaceAll(";}", "}");

/** Responds with a static page or file; text is compressed if the client can read that. */
export function pageResponse(page: Page, request: Request): Response {
  const { body, headers, status = 200 } = page;
  if (typeof body !== "string" || body === "") return new Response(body, { status, headers });
  const varying = { ...headers, Vary: "Accept-Encoding" };
  if (!accepts(request.headers.get("accept-encoding"), "gzip")) {
    return new Response(body, { status, headers: varying });
  }
  const encoded = { ...varying, "Content-Encoding": "gzip" };
  return new Response(compressed(body), { status, headers: encoded });
}

/** By text: there are few pages, which never change. */
const cache = new Map<string, Uint8Array<ArrayBuffer>>();

function compressed(text: string): Uint8Array<ArrayBuffer> {
  const cached = cache.get(text) ?? new Uint8Array(gzipSync(text, { level: 9 }));
  cache.set(text, cached);
  return cached;
}
