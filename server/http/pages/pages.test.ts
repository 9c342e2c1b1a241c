import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { operations } from "../../../contract/operations.ts";
import { renderGuide } from "../../../dashboard/build/guides.ts";
import { pages } from "./pages.ts";
import { topics } from "./topics.ts";

const text = (slug: string) =>
  renderGuide(readFileSync(new URL(`../../../docs/${slug}.md`, import.meta.url), "utf8"));
const guides = {
  guides: Object.fromEntries(topics.map(({ slug }) => [slug, text(slug)])),
  script: undefined,
  search: "app/docs-search.json",
};
const all = pages(
  () => "{}",
  () => guides,
);
const body = (path: string): string => String(all.get(path)?.body ?? "");
const documents = ["/docs", "/docs/api", ...topics.map(({ slug }) => `/docs/${slug}`)];

async function attributes(path: string, selector: string, name: string): Promise<string[]> {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on(selector, {
    element: (element) => {
      found.push(element.getAttribute(name) ?? "");
    },
  });
  await rewriter.transform(new Response(body(path))).text();
  return found;
}

describe.each(documents)("%s", (path) => {
  test("uses only files of this server, and nothing inline", async () => {
    const files = [
      ...(await attributes(path, "link[href]", "href")),
      ...(await attributes(path, "script", "src")),
      ...(await attributes(path, "img", "src")),
    ];
    expect(files.length).toBeGreaterThan(1);
    for (const file of files)
      expect(all.has(new URL(file, `http://site${path}`).pathname), file).toBe(true);
    expect(await attributes(path, "[style], style", "style")).toEqual([]);
    expect(await attributes(path, "[onclick], [onload]", "onclick")).toEqual([]);
  });

  test("has a target for every internal link, and unique ids", async () => {
    const ids = await attributes(path, "[id]", "id");
    expect(new Set(ids).size).toBe(ids.length);
    const links = (await attributes(path, "a[href]", "href")).filter((to) => to.startsWith("#"));
    for (const link of links) expect(ids).toContain(link.slice(1));
  });
});

describe("links", () => {
  test.each(documents)("of %s lead to pages and their headings", async (path) => {
    for (const link of await attributes(path, "a[href]", "href")) {
      if (/^[a-z]+:/.test(link)) continue;
      const { pathname, hash } = new URL(link, `http://site${path}`);
      if (!pathname.startsWith("/docs")) continue;
      expect(all.has(pathname), `${link} in ${path}`).toBe(true);
      if (hash === "") continue;
      targets[pathname] ??= await attributes(pathname, "[id]", "id");
      expect(targets[pathname], `${link} in ${path}`).toContain(decodeURIComponent(hash.slice(1)));
    }
  });
  const targets: Record<string, string[]> = {};
});

test("documents moved below /docs, and say so", () => {
  for (const path of ["/durability", "/security", "/scaling"]) {
    const page = all.get(path);
    expect([page?.status, page?.headers.Location]).toEqual([308, `docs${path}`]);
  }
  const slashed = all.get("/docs/");
  expect(slashed?.status).toBe(308);
  expect(new URL(slashed?.headers.Location ?? "", "http://site/base/docs/").pathname).toBe(
    "/base/docs",
  );
});

describe("/docs/api", () => {
  test("shows every operation with examples", async () => {
    const ids = await attributes("/docs/api", "section.operation", "id");
    expect(ids.toSorted()).toEqual(Object.keys(operations).toSorted());
    for (const { path } of Object.values(operations)) {
      const plain = path.replace("*}", "}").replaceAll("/", "/<wbr>").slice("/<wbr>".length);
      expect(body("/docs/api")).toContain(plain);
    }
    expect(body("/docs/api").match(/<figcaption>curl</g)?.length).toBeGreaterThanOrEqual(
      Object.keys(operations).length,
    );
  });

  test("renders every schema", () => {
    expect(body("/docs/api")).not.toMatch(/\[object|undefined|NaN/);
  });
});

test("the typeface and the theme setting are the dashboard's", async () => {
  const choice = await Bun.file("dashboard/src/theme/choice.ts").text();
  const [storageKey = "none"] = /"holdall-[a-z]+"/.exec(choice) ?? [];
  expect(body("/assets/theme.js")).toContain(`getItem(${storageKey})`);
  const font = all.get("/assets/inter-latin.woff2");
  expect(font?.headers["Content-Type"]).toBe("font/woff2");
  const start = await new Response(font?.body).text();
  expect(start).toStartWith("wOF2");
});

test("the Content-Security-Policy allows no inline scripts or styles and no other sites", () => {
  for (const [path, { headers }] of all) {
    const policy = headers["Content-Security-Policy"];
    expect(policy, path).toStartWith("default-src 'none';");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers["X-Content-Type-Options"]).toBe("nosniff");
  }
});
