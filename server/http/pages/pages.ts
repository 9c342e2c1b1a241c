import { readFileSync } from "node:fs";
import { docsPage } from "./docs.ts";
import { durabilityPage } from "./durability.ts";
import { favicon } from "./mark.ts";

export interface Page {
  /** Made when it is first asked for, and kept. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything on these pages comes from the instance itself, in files of its own. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** The pages that need no script, and the files that they need, by path. */
export function pages(openApi: () => string): Map<string, Page> {
  return new Map<string, Page>([
    ["/docs", pageOf("text/html", docsPage)],
    ["/durability", pageOf("text/html", durabilityPage)],
    ["/openapi.json", pageOf("application/json", openApi)],
    ["/assets/holdall.css", pageOf("text/css", () => read("holdall.css"))],
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
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Cache-Control": "no-cache",
      "Content-Security-Policy": POLICY,
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    },
  };
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
