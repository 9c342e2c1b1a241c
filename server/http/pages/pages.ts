import { readFileSync } from "node:fs";
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with {
  type: "file",
};
import { docsPage } from "./docs.ts";
import { documentPage, documents } from "./document.ts";
import { favicon } from "./mark.ts";

export interface Page {
  /** Made when it is first asked for, and kept; a file is read when it is sent. */
  readonly body: string | Blob;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything on these pages comes from the instance itself, in files of its own. */
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

/** The pages that work without script, and the files that they need, by path. */
export function pages(openApi: () => string): Map<string, Page> {
  return new Map<string, Page>([
    ["/docs", pageOf("text/html", docsPage)],
    ...documents.map((each): [string, Page] => [
      `/${each.path}`,
      pageOf("text/html", () => documentPage(each)),
    ]),
    ["/openapi.json", pageOf("application/json", openApi)],
    ["/assets/holdall.css", pageOf("text/css", () => read("holdall.css"))],
    ["/assets/theme.js", pageOf("text/javascript", () => read("theme.js"))],
    ["/assets/inter-latin.woff2", fontPage()],
    ["/assets/mark.svg", pageOf("image/svg+xml", () => favicon)],
  ]);
}

function pageOf(type: string, make: () => string): Page {
  let made: string | undefined;
  return {
    get body() {
      made ??= make();
      return made;
    },
    headers: headersOf(`${type}; charset=utf-8`, "no-cache"),
  };
}

/** The type of the dashboard, which is there whether that has been built or not. */
const fontPage = (): Page => ({
  body: Bun.file(inter),
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
