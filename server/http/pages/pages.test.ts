import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Operation } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import { renderGuide } from "../../../dashboard/build/guides.ts";
import { pages } from "./pages.ts";
import { referencePages } from "./reference-pages.ts";
import { referencePassages } from "./reference-passages.ts";
import { operationUrl, referenceTopics } from "./reference-topics.ts";
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
const reference = [...referencePages.keys()].map((path) => `/docs/api${path}`);
const documents = ["/docs", ...reference, ...topics.map(({ slug }) => `/docs/${slug}`)];

/** A link to the API reference, or a whole path of a document in code. */
const DOCS_LINK =
  /\bdocs\/api(?![-.\w])(?:\/[a-z-]+)?(?:#[\w-]+)?|(?<=["'`])\/docs(?:\/[a-z-]+)*(?:#[\w-]+)?(?=["'`])/g;

/** Expects a page at an address of this site, with an element at its anchor. */
async function expectTarget({ pathname, hash }: URL, link: string): Promise<void> {
  expect(all.get(pathname)?.status ?? 404, link).toBe(200);
  if (hash === "") return;
  targets[pathname] ??= await attributes(pathname, "[id]", "id");
  expect(targets[pathname], link).toContain(decodeURIComponent(hash.slice(1)));
}
const targets: Record<string, string[]> = {};

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
      const target = new URL(link, `http://site${path}`);
      if (target.pathname.startsWith("/docs")) await expectTarget(target, `${link} in ${path}`);
    }
  });

  test("to documents in sources and texts lead to pages and their anchors", async () => {
    const folders = "cli,contract,dashboard,docs,examples,react,sdk,server".split(",");
    const sources = [
      ...["*.md", "openapi.json"].map((pattern) => new Bun.Glob(pattern)),
      ...folders.map((folder) => new Bun.Glob(`${folder}/**/*.{md,html,json,js,mjs,ts,tsx}`)),
    ].flatMap((glob) => [...glob.scanSync(".")]);
    let count = 0;
    for (const file of sources) {
      if (/node_modules|\/dist\/|\.test\.ts$/.test(file)) continue;
      for (const [link] of (await Bun.file(file).text()).matchAll(DOCS_LINK)) {
        await expectTarget(new URL(link, "http://site"), `${link} in ${file}`);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(10);
  });
});

test("documents moved below /docs, and say so", () => {
  for (const path of ["/durability", "/security", "/scaling"]) {
    const page = all.get(path);
    expect([page?.status, page?.headers.Location]).toEqual([308, `docs${path}`]);
  }
  for (const path of ["/docs", "/docs/api"]) {
    const slashed = all.get(`${path}/`);
    expect(slashed?.status).toBe(308);
    const location = new URL(slashed?.headers.Location ?? "", `http://site/base${path}/`);
    expect(location.pathname).toBe(`/base${path}`);
  }
});

describe("the API reference", () => {
  const every = Object.values<Operation>(operations);

  test.each(referenceTopics)(
    "has the operations of $name with examples",
    async ({ slug, name }) => {
      const path = `/docs/api/${slug}`;
      const ids = await attributes(path, "section.operation", "id");
      const own = every.filter(({ tag }) => tag === name);
      expect(ids).toEqual(own.map(({ id }) => id));
      for (const operation of own) {
        const plain = operation.path.replace("*}", "}").replaceAll("/", "/<wbr>");
        expect(body(path)).toContain(plain.slice("/<wbr>".length));
      }
      expect(body(path).match(/<figcaption>curl</g)?.length).toBe(own.length);
    },
  );

  test.each(reference)("renders every schema of %s", (path) => {
    expect(body(path)).not.toMatch(/\[object|undefined|NaN/);
  });

  test("leads from its index to every operation, and links to the one page of before lead on", async () => {
    const ids = await attributes("/docs/api", "main a[id]", "id");
    const links = await attributes("/docs/api", "main a[id]", "href");
    const leads = Object.fromEntries(ids.map((id, at) => [id, links[at]]));
    for (const operation of every) expect(leads[operation.id]).toBe(operationUrl(operation));
    expect(leads).toMatchObject({
      start: "api/basics#start",
      authentication: "api/basics#authentication",
      envelope: "api/basics#envelope",
      errors: "api/basics#errors",
      limits: "api/basics#limits",
      "signed-urls": "api/basics#signed-urls",
      ranges: "api/basics#ranges",
      files: "api/files",
      "resumable-uploads": "api/uploads",
      hosting: "api/hosting",
      links: "api/links",
      folders: "api/folders",
      "trash-and-versions": "api/trash",
      webhooks: "api/webhooks",
      "api-keys": "api/keys",
      account: "api/account",
      people: "api/people",
      insight: "api/insight",
      settings: "api/settings",
      service: "api/service",
      objects: "api/objects",
      "object-file": "api/objects#object-file",
    });
  });

  test("is found by the search, at its anchors", async () => {
    const passages = referencePassages();
    for (const { url, text } of passages) {
      await expectTarget(new URL(url, "http://site/docs/"), url);
      expect(text).not.toMatch(/[<>]|&\w+;|undefined/);
    }
    const urls = passages.map(({ url }) => url);
    expect(new Set(urls).isSupersetOf(new Set(every.map(operationUrl)))).toBe(true);
    expect(new Set(urls).size).toBe(urls.length);
  });

  test("names the pages before and after", async () => {
    const neighbors = (path: string) => attributes(path, ".neighbors a", "href");
    expect(await neighbors("/docs/api/basics")).toEqual(["../api", "../api/files"]);
    expect(await neighbors("/docs/api/objects")).toEqual(["../api/service"]);
    expect(await neighbors("/docs/python")).toEqual(["nextjs", "go"]);
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
