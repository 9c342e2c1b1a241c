import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { topics } from "../server/http/pages/topics.ts";

const root = join(import.meta.dir, "..");
const documents = ["*.md", "{bench,dashboard,decisions,docs,sdk}/*.md"].flatMap((pattern) => [
  ...new Bun.Glob(pattern).scanSync(root),
]);
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The anchors that GitHub gives to the headings of a document. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );

test.each(documents)("every relative link in %s leads to a file and a heading", (document) => {
  for (const [, target = ""] of read(document).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? document : join(dirname(document), path);
    expect(existsSync(join(root, file)), `${target} in ${document}`).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(read(file)), target).toContain(anchor);
  }
});

test.each(documents)("every npm script named in %s exists", (document) => {
  const named = [...read(document).matchAll(/npm run (?:--silent )?([a-z0-9:-]+)/g)];
  for (const [, script = ""] of named) expect(Object.keys(manifest.scripts)).toContain(script);
});

test("the README stays under 150 lines", () => {
  expect(read("README.md").split("\n").length).toBeLessThan(150);
});

test("docs/s3.md has every test of ceph/s3-tests that may fail, in the row of its reason", () => {
  const rows = read("docs/s3.md").split("\n");
  const failures = read("test/s3-api/ceph-known-failures.txt").match(/^test_s3.py::.*$/gm) ?? [];
  expect(failures).not.toBeEmpty();
  for (const failure of failures) {
    const [, name = "", reason = ""] = /^test_s3.py::(\w+): (.*)$/.exec(failure) ?? [];
    const row = rows.find((each) => each.includes(`\`${name}\``)) ?? `no row with ${name}`;
    expect(row.toLowerCase()).toContain(reason.toLowerCase());
  }
});

test.each([
  ["docs/python.md", "examples/python/files.py"],
  ["docs/go.md", "examples/go/files.go"],
  ["docs/php.md", "examples/php/files.php"],
  ["docs/browser-upload.md", "examples/page/server.mjs"],
  ["docs/browser-upload.md", "examples/page/index.html"],
  ["docs/nextjs.md", "examples/next/lib/holdall.ts"],
  ["docs/nextjs.md", "examples/next/app/api/uploads/route.ts"],
  ["docs/nextjs.md", "examples/next/app/page.tsx"],
])("%s has the code of %s, which other tests run", (document, example) => {
  expect(read(document)).toContain(`\n${read(example).trimEnd()}\n\`\`\``);
});

test("every document is in the list of the instance", () => {
  const slugs = [...new Bun.Glob("docs/*.md").scanSync(root)].map((path) => path.slice(5, -3));
  expect(topics.map(({ slug }) => slug).toSorted()).toEqual(slugs.toSorted());
});

/* The pages of the documents fill in these, and readers know what to set. */
test("examples name the host and the key as the pages of the documents know them", () => {
  for (const { slug } of topics) {
    for (const [code] of read(`docs/${slug}.md`).matchAll(/^```sh\n.*?^```/gms)) {
      expect(code, slug).not.toMatch(/\$(?:KEY|URL|HOST)\b/);
    }
  }
});
