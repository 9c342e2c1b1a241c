import { readFileSync } from "node:fs";
import { setupPage, signInPage } from "./admin.ts";
import { docsPage } from "./docs.ts";
import { homePage } from "./home.ts";
import { favicon } from "./mark.ts";

export interface Page {
  /** Made when it is first asked for, and kept. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everything on these pages comes from the instance itself, in files of its own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const SCRIPTS = ["admin", "dom", "home", "keys", "server"] as const;

/** The pages for people and the files that they need, by path. */
export function pages(openApi: () => string): Map<string, Page> {
  const all = new Map<string, Page>([
    ["/", pageOf("text/html", homePage)],
    ["/docs", pageOf("text/html", docsPage)],
    ["/openapi.json", pageOf("application/json", openApi)],
    ["/setup", pageOf("text/html", setupPage)],
    ["/sign-in", pageOf("text/html", signInPage)],
    ["/assets/holdall.css", pageOf("text/css", () => read("holdall.css"))],
    ["/assets/mark.svg", pageOf("image/svg+xml", () => favicon)],
  ]);
  for (const name of SCRIPTS) {
    all.set(
      `/assets/${name}.js`,
      pageOf("text/javascript", () => browserScript(name)),
    );
  }
  return all;
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

/** A script of `browser/` as a module for browsers: types gone, imports as they are served. */
function browserScript(name: string): string {
  const script = new Bun.Transpiler({ loader: "ts", target: "browser" }).transformSync(
    read(`browser/${name}.ts`),
  );
  return script.replace(/(from "\.\/\w+)\.ts"/g, '$1.js"');
}
