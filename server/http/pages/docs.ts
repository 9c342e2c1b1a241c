import { type JsonSchema, toJsonSchema } from "../../../contract/json-schema.ts";
import { TAGS } from "../../../contract/openapi.ts";
import type { Operation } from "../../../contract/operation.ts";
import { type OperationId, operations } from "../../../contract/operations.ts";
import { type Chapter, introduction } from "./docs-introduction.ts";
import { operationSection } from "./docs-operation.ts";
import { examples } from "./examples.ts";
import { fieldsOf, fieldTable } from "./fields.ts";
import { html, type Markup } from "./html.ts";
import { page } from "./layout.ts";

/** The reference of the API, whole: it needs neither a script nor the internet. */
export function docsPage(): string {
  return page({
    path: "docs",
    title: "Holdall API reference",
    description: "Every operation of this file hosting service, with examples.",
    content: html`<div class="frame">
${navigation()}
<main id="content" tabindex="-1">
<div class="lead"><h1>API reference</h1>
<p>Holdall stores files in a tree of folders, gives each of them a public URL, and keeps private ones to those who hold a key or a link that expires.</p></div>
${introduction.map(chapterSection)}
${TAGS.map(tagSection)}
<section class="objects" id="objects"><h2>Objects</h2>${objectSections()}</section>
</main>
</div>`,
  });
}

const ids = (tag: Operation["tag"]): OperationId[] =>
  Object.values(operations)
    .filter((operation) => operation.tag === tag)
    .map(({ id }) => id);

const anchor = (tag: string): string => tag.toLowerCase().replace(" ", "-");

function navigation(): Markup {
  const links = introduction.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  const groups = TAGS.map(
    ({ name }) => html`<li><a class="tag" href="#${anchor(name)}">${name}</a>
<ul>${ids(name).map((id) => navigationEntry(operations[id]))}</ul></li>`,
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

function chapterSection({ id, title, told, shown }: Chapter): Markup {
  return html`<section class="chapter" id="${id}"><div class="told"><h2><a class="anchor" href="#${id}">${title}</a></h2>
${told}</div>${shown === undefined ? undefined : html`<div class="shown">${shown}</div>`}</section>
`;
}

function tagSection({ name, description }: (typeof TAGS)[number]): Markup {
  return html`<section class="group" id="${anchor(name)}"><h2>${name}</h2><p class="about">${description}</p>
${ids(name).map((id) => operationSection(operations[id], examples[id]))}</section>
`;
}

function objectSections(): Markup[] {
  const named: Record<string, JsonSchema> = {};
  for (const { answer } of Object.values<Operation>(operations)) {
    if ("data" in answer) Object.assign(named, toJsonSchema(answer.data, "output").named);
  }
  return Object.entries(named).map(
    ([name, schema]) => html`<section id="object-${name.toLowerCase()}">
<h3><a class="anchor" href="#object-${name.toLowerCase()}">${name}</a></h3>
${fieldTable(`Fields of ${name}`, fieldsOf(schema), "unmarked")}</section>
`,
  );
}
