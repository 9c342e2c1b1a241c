// Builds the dashboard into a folder: `bun dashboard/build/build.ts FOLDER`.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { referencePassages } from "../../server/http/pages/reference-passages.ts";
import { type Guide, renderGuide } from "./guides.ts";
import { bundleScripts } from "./scripts.ts";
import { compileStyles } from "./styles.ts";
import { createWriter } from "./writer.ts";

const [out] = process.argv.slice(2);
if (out === undefined)
  throw new Error("Name the output folder: bun dashboard/build/build.ts FOLDER");

const source = join(import.meta.dir, "../src");
const typeface = join(import.meta.dir, "../../server/http/pages/inter-latin.woff2");

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const writer = createWriter(out);

const font = await writer.add("inter-latin.woff2", await Bun.file(typeface).bytes());
await writer.add("mark.svg", await Bun.file(join(source, "theme/mark.svg")).bytes());
const styles = (await compileStyles(source)).replaceAll("inter-latin.woff2", font);
const themeStyles = await writer.add("theme.css", new TextEncoder().encode(styles));
const scripts = await bundleScripts(source, themeStyles);
for (const { role, name, bytes } of scripts) await writer.addNamed(role, name, bytes);

// The documents of the repository, which the server shows at /docs.
const guides: Record<string, Omit<Guide, "passages">> = {};
const passages: Record<string, unknown>[] = [];
const documents = join(import.meta.dir, "../../docs");
for (const file of [...new Bun.Glob("*.md").scanSync(documents)].sort()) {
  const slug = file.replace(/\.md$/, "");
  const { passages: found, ...guide } = renderGuide(await Bun.file(join(documents, file)).text());
  guides[slug] = guide;
  for (const { id, heading, text } of found) {
    const url = id === "" ? slug : `${slug}#${id}`;
    passages.push({ url, title: guide.title, heading, text });
  }
}
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const search = await writer.add("docs-search.json", json([...passages, ...referencePassages()]));
await Bun.write(join(out, "docs.json"), json({ search, guides }));

const preloads = scripts
  .filter(({ preload }) => preload)
  .map(({ name }) => `<link rel="modulepreload" href="{{base}}/app/${name}">`);
let page = await Bun.file(join(source, "index.html")).text();
page = page.replace("{{preloads}}", preloads.join("\n"));
for (const [role, name] of writer.roles()) page = page.replaceAll(`{{${role}}}`, name);
await writer.finish(page);
