import type { Operation } from "../../../contract/operation.ts";
import { fieldsOf, fieldTable } from "./fields.ts";
import { type Guides, guidesAbout } from "./guides.ts";
import { html, type Markup } from "./html.ts";
import { page } from "./layout.ts";
import { basics, type Chapter, firstRequest } from "./reference-basics.ts";
import { operationSection } from "./reference-operation.ts";
import {
  namedObjects,
  objectAnchor,
  operationUrl,
  type ReferenceTopic,
  referenceTopics,
} from "./reference-topics.ts";
import { neighborLinks, type SideLink, sideLink, sideList } from "./side-list.ts";

/** Pages of the reference. `slug` is the last segment of a page's address; the index has none. */
const INDEX = { slug: "", title: "All operations" };
const BASICS = { slug: "basics", title: "Basics" };
const OBJECTS = { slug: "objects", title: "Objects" };
const PAGES = [
  INDEX,
  BASICS,
  ...referenceTopics.map(({ slug, name }) => ({ slug, title: name })),
  OBJECTS,
];

/** Links to all pages, from the page with the slug `current`. */
const linksFrom = (current: string): (SideLink & { readonly slug: string })[] =>
  PAGES.map(({ slug, title }) => {
    const index = current === "" ? "api" : "../api";
    return { slug, title, href: slug === "" ? index : `${index}/${slug}` };
  });

/** Renders a page of the API reference, which needs neither scripts nor other sites. */
export type RenderReference = (guides: Guides | undefined) => string;

/** The pages of the API reference, by their path below `/docs/api`. */
export const referencePages: ReadonlyMap<string, RenderReference> = new Map([
  ["", indexPage],
  ["/basics", basicsPage],
  ...referenceTopics.map((topic): [string, RenderReference] => [
    `/${topic.slug}`,
    (guides) => topicPage(topic, guides),
  ]),
  ["/objects", objectsPage],
]);

/**
 * Lists all operations, a line each. The lines have the ids of the parts of the other pages, so that links of the time
 * when the reference was one page still lead somewhere.
 */
function indexPage(guides: Guides | undefined): string {
  const topic = ({ slug, name, description, operations }: ReferenceTopic): Markup =>
    html`<section><h2><a id="${oldAnchor(name)}" href="api/${slug}">${name}</a></h2><p>${description}</p>
<ul class="operations">${operations.map((operation) => operationLine(operation, operationUrl(operation), operation.id))}</ul></section>
`;
  return page({
    up: "../",
    section: "api",
    built: guides,
    title: "Holdall API reference",
    description: "Every operation of the Holdall file hosting API, with examples.",
    content: html`<div class="frame">
${contents("")}
<main id="content" class="index" tabindex="-1">
<div class="lead chapter"><div class="text"><h1>API reference</h1>
<p>Holdall stores files in a tree of folders and gives each file a public URL. Private files require an API key, a session or a signed URL that expires.</p>
<p>All operations are also described as <a href="../openapi.json">OpenAPI 3.1</a>.</p></div>
<div class="samples">${firstRequest}</div></div>
<section><h2><a href="api/basics">Basics</a></h2><p>What all operations have in common.</p>${names(basics, "api/basics")}</section>
${referenceTopics.map(topic)}
<section><h2><a id="objects" href="api/objects">Objects</a></h2><p>What responses contain, field by field.</p>${names(objectNames(), "api/objects")}</section>
</main>
</div>`,
  });
}

const objectNames = () =>
  Object.keys(namedObjects()).map((title) => ({ id: objectAnchor(title), title }));

/** Links to the parts of a page, with the anchors that the parts had when the reference was one page. */
const names = (parts: readonly { id: string; title: string }[], page: string): Markup =>
  html`<ul class="names">${parts.map(
    ({ id, title }) => html`<li><a id="${id}" href="${page}#${id}">${title}</a></li>`,
  )}</ul>`;

/** The anchor that a topic had when the reference was one page. */
const oldAnchor = (name: string): string => name.toLowerCase().replaceAll(" ", "-");

const operationLine = ({ method, summary, path }: Operation, href: string, id?: string): Markup =>
  html`<li><a${id === undefined ? undefined : html` id="${id}"`} href="${href}">${methodLabel(method)} <span>${summary}</span> <code>${path.replace("*}", "}")}</code></a></li>
`;

const methodLabel = (method: string, shown = method): Markup =>
  html`<span class="method ${method.toLowerCase()}">${shown}</span>`;

function basicsPage(guides: Guides | undefined): string {
  return partPage(guides, {
    ...BASICS,
    description: "What all operations of the API have in common.",
    parts: basics.map(({ id, title }) => ({ href: `#${id}`, title })),
    content: basics.map(chapterSection),
  });
}

function chapterSection({ id, title, text, samples }: Chapter): Markup {
  return html`<section class="chapter" id="${id}"><div class="text"><h2><a class="anchor" href="#${id}">${title}</a></h2>
${text}</div>${samples === undefined ? undefined : html`<div class="samples">${samples}</div>`}</section>
`;
}

/** Short names of methods for the list at the side, which has little room. */
const SHORT: Readonly<Partial<Record<string, string>>> = { DELETE: "DEL", OPTIONS: "OPT" };

function topicPage(topic: ReferenceTopic, guides: Guides | undefined): string {
  const { slug, name, description, operations } = topic;
  return partPage(guides, {
    slug,
    title: name,
    description,
    parts: operations.map(({ id, method, summary }) => ({
      href: `#${id}`,
      title: html`<span>${summary}</span> ${methodLabel(method, SHORT[method])}`,
    })),
    about: html`${guides && guideLinks(topic, guides)}
<ul class="operations">${operations.map((operation) => operationLine(operation, `#${operation.id}`))}</ul>`,
    content: operations.map(operationSection),
  });
}

function guideLinks({ operations }: ReferenceTopic, guides: Guides): Markup | undefined {
  const about = guidesAbout(operations, guides);
  if (about.length === 0) return undefined;
  const links = about.map(
    ({ slug, title }, at) => html`${at === 0 ? "" : ", "}<a href="../${slug}">${title}</a>`,
  );
  return html`<p>Guides: ${links}</p>`;
}

function objectsPage(guides: Guides | undefined): string {
  const objects = Object.entries(namedObjects());
  return partPage(guides, {
    ...OBJECTS,
    description: "What responses of the API contain, field by field.",
    parts: objects.map(([name]) => ({ href: `#${objectAnchor(name)}`, title: name })),
    content: objects.map(
      ([name, schema]) => html`<section class="object" id="${objectAnchor(name)}">
<h2><a class="anchor" href="#${objectAnchor(name)}">${name}</a></h2>
${fieldTable(`Fields of ${name}`, fieldsOf(schema), "unmarked")}</section>
`,
    ),
  });
}

interface Part {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Links to the parts of the page. The list at the side shows them below the link to the page. */
  readonly parts: readonly SideLink[];
  /** The content below the description. Default: links to the parts, for phones. */
  readonly about?: Markup;
  readonly content: readonly Markup[];
}

function partPage(
  guides: Guides | undefined,
  { slug, title, description, parts, about, content }: Part,
): string {
  return page({
    up: "../../",
    section: "api",
    built: guides,
    title: `${title} · Holdall API`,
    description,
    content: html`<div class="frame">
${contents(slug, parts)}
<main id="content" tabindex="-1">
<div class="lead"><p class="above"><a href="../api">API reference</a></p><h1>${title}</h1>
<p>${description}</p>
${about ?? html`<ul class="names">${parts.map((part) => sideLink(part, false))}</ul>`}</div>
${content}
${neighborLinks(
  linksFrom(slug),
  PAGES.findIndex((page) => page.slug === slug),
)}
</main>
</div>`,
  });
}

/** The list of all pages, with the parts of the current one. On phones, the page itself lists its parts. */
function contents(current: string, parts?: readonly SideLink[]): Markup {
  const links = linksFrom(current);
  const below = parts && html`<ul>${parts.map((part) => sideLink(part, false))}</ul>`;
  return sideList(
    "API reference",
    links.map((link) =>
      link.slug === current ? sideLink(link, true, below) : sideLink(link, false),
    ),
    links.map((link) => sideLink(link, link.slug === current)),
  );
}
