import { type JsonSchema, toJsonSchema } from "../../../contract/json-schema.ts";
import { TAGS } from "../../../contract/openapi.ts";
import type { Operation, Tag } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import { type Chapter, introduction } from "./docs-introduction.ts";
import { operationSection } from "./docs-operation.ts";
import { fieldsOf, fieldTable } from "./fields.ts";
import type { Guides } from "./guides.ts";
import { html, type Markup } from "./html.ts";
import { page } from "./layout.ts";
import { topics } from "./topics.ts";

/** The complete API reference, in one page that needs neither scripts nor other sites. */
export function docsPage(guides: Guides | undefined): string {
  return page({
    up: "../",
    section: "api",
    script: guides?.script && `../${guides.script}`,
    search: guides && `../${guides.search}`,
    title: "Holdall API reference",
    description: "Every operation of the Holdall file hosting API, with examples.",
    content: html`<div class="frame">
${navigation()}
<main id="content" tabindex="-1">
<div class="lead"><h1>API reference</h1>
<p>Holdall stores files in a tree of folders and gives each file a public URL. Private files require an API key, a session or a signed URL that expires.</p></div>
${introduction.map(chapterSection)}
${TAGS.map((tag) => tagSection(tag, guides))}
<section class="objects" id="objects"><h2>Objects</h2>${objectSections()}</section>
</main>
</div>`,
  });
}

const operationsOf = (tag: Tag): Operation[] =>
  Object.values<Operation>(operations).filter((operation) => operation.tag === tag);

const anchor = (tag: string): string => tag.toLowerCase().replaceAll(" ", "-");

function navigation(): Markup {
  const links = introduction.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  const groups = TAGS.map(
    ({ name }) => html`<li><a class="tag" href="#${anchor(name)}">${name}</a>
<ul>${operationsOf(name).map(navigationEntry)}</ul></li>`,
  );
  return html`<nav class="contents" aria-label="Contents"><ul>
<li><a class="tag" href="#start">Introduction</a><ul>${links}</ul></li>
${groups}
<li><a class="tag" href="#objects">Objects</a></li>
</ul></nav>`;
}

const navigationEntry = ({ id, method, summary }: Operation): Markup =>
  html`<li><a href="#${id}"><span>${summary}</span> <span class="method ${method.toLowerCase()}">${
    method === "DELETE" ? "DEL" : method
  }</span></a></li>`;

function chapterSection({ id, title, text, samples }: Chapter): Markup {
  return html`<section class="chapter" id="${id}"><div class="text"><h2><a class="anchor" href="#${id}">${title}</a></h2>
${text}</div>${samples === undefined ? undefined : html`<div class="samples">${samples}</div>`}</section>
`;
}

/** The guides about operations of a tag. */
function guidesOf(tag: Tag, { guides }: Guides): Markup | undefined {
  const ids = new Set<string>(operationsOf(tag).map(({ id }) => id));
  const about = topics.filter((topic) => topic.operations?.some((id) => ids.has(id)));
  if (about.length === 0) return undefined;
  const links = about.map(
    ({ slug }, at) =>
      html`${at === 0 ? "" : ", "}<a href="${slug}">${guides[slug]?.title ?? slug}</a>`,
  );
  return html`<p class="about">Guides: ${links}</p>`;
}

function tagSection(
  { name, description }: (typeof TAGS)[number],
  guides: Guides | undefined,
): Markup {
  return html`<section class="group" id="${anchor(name)}"><h2>${name}</h2><p class="about">${description}</p>
${guides && guidesOf(name, guides)}${operationsOf(name).map(operationSection)}</section>
`;
}

function objectSections(): Markup[] {
  const named: Record<string, JsonSchema> = {};
  for (const { response } of Object.values<Operation>(operations)) {
    if ("data" in response) Object.assign(named, toJsonSchema(response.data, "output").named);
  }
  return Object.entries(named).map(
    ([name, schema]) => html`<section id="object-${name.toLowerCase()}">
<h3><a class="anchor" href="#object-${name.toLowerCase()}">${name}</a></h3>
${fieldTable(`Fields of ${name}`, fieldsOf(schema), "unmarked")}</section>
`,
  );
}
