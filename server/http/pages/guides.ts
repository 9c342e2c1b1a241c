import type { Operation } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";
import { html, type Markup, trusted } from "./html.ts";
import { type BuiltFiles, type Layout, page } from "./layout.ts";
import { operationUrl } from "./reference-topics.ts";
import { neighborLinks, sideLink, sideList } from "./side-list.ts";
import { type Topic, topicGroups, topics } from "./topics.ts";

/** The documents of the repository as the build of the dashboard renders them. */
export interface Guides extends BuiltFiles {
  readonly guides: Readonly<Record<string, RenderedGuide>>;
}

export interface RenderedGuide {
  readonly title: string;
  readonly description: string;
  readonly html: string;
  readonly headings: readonly {
    readonly id: string;
    readonly text: string;
    readonly level: 2 | 3;
  }[];
}

/** The start of the documents: all topics. */
export function guidesPage(guides: Guides): string {
  const group = ({ title, topics }: (typeof topicGroups)[number]): Markup =>
    html`<section><h2>${title}</h2><ul class="cards">${topics.map(({ slug }) => {
      const guide = guides.guides[slug];
      return (
        guide &&
        html`<li><a href="docs/${slug}"><b>${guide.title}</b><span>${shorten(guide.description)}</span></a></li>`
      );
    })}</ul></section>`;
  return page({
    title: "Holdall documentation",
    description: "Guides for developers and operators, and the reference of the API.",
    up: "",
    section: "guides",
    built: guides,
    content: html`<main id="content" class="start" tabindex="-1">
<div class="lead"><h1>Documentation</h1>
<p>Guides for developers and operators. Every operation is in the <a href="docs/api">API reference</a>.</p></div>
${topicGroups.map(group)}
</main>`,
  });
}

/** The page of one document. */
export function guidePage(topic: Topic, guides: Guides): string | undefined {
  const guide = guides.guides[topic.slug];
  if (guide === undefined) return undefined;
  const { title, description, headings } = guide;
  const parts = headings.filter(({ level }) => level === 2);
  return page({
    title: `${title} · Holdall`,
    description: shorten(description),
    up: "../",
    section: "guides",
    built: guides,
    content: html`<div class="guide">
${topicList(guides, topic.slug)}
<main id="content" class="document" tabindex="-1">
${trusted(guide.html)}
${operationList(topic)}
${neighborLinks(
  topics.map(({ slug }) => ({ href: slug, title: guides.guides[slug]?.title ?? slug })),
  topics.indexOf(topic),
)}
</main>
${parts.length < 2 ? undefined : html`<nav class="parts" aria-label="On this page"><b>On this page</b><ul>${parts.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`}
</div>`,
  });
}

/** The guides about some of these operations. */
export const guidesAbout = (
  about: readonly Operation[],
  { guides }: Guides,
): { readonly slug: string; readonly title: string }[] =>
  topics
    .filter((topic) => topic.operations?.some((id) => about.includes(operations[id])))
    .map(({ slug }) => ({ slug, title: guides[slug]?.title ?? slug }));

/** All topics: at the side, or folded on phones. */
function topicList({ guides }: Guides, current: string): Markup {
  const links = ({ slug }: Topic): Markup =>
    sideLink({ href: slug, title: guides[slug]?.title ?? slug }, slug === current);
  const groups = topicGroups.map(
    (group) =>
      html`<li><span class="tag">${group.title}</span><ul>${group.topics.map(links)}</ul></li>`,
  );
  return sideList("Guides", groups);
}

const operationList = ({ operations: ids = [] }: Topic): Markup | undefined =>
  ids.length === 0
    ? undefined
    : html`<section class="operations" aria-labelledby="api-operations"><h2 id="api-operations">Operations</h2><ul>${ids.map(
        (id) => {
          const { method, summary } = operations[id];
          return html`<li><a href="${operationUrl(operations[id])}"><span class="method ${method.toLowerCase()}">${method}</span> ${summary}</a></li>`;
        },
      )}</ul></section>`;

/** The first sentences of a text. */
function shorten(text: string): string {
  if (text.length <= 160) return text;
  const cut = text.slice(0, 160);
  const end = cut.lastIndexOf(". ");
  return end > 60 ? cut.slice(0, end + 1) : `${cut.slice(0, cut.lastIndexOf(" "))} …`;
}

/** The page for an address below `/docs` that no document has. */
export const missingPage = (guides: Guides | undefined, up: Layout["up"]): string =>
  page({
    title: "Not found · Holdall",
    description: "There is no document with this address.",
    up,
    section: "guides",
    built: guides,
    content: html`<main id="content" class="document" tabindex="-1"><h1>Not found</h1><p>There is no document with this address. Look in the <a href="${up}docs">guides</a> and the <a href="${up}docs/api">API reference</a>, or search.</p></main>`,
  });

/** In place of the documents, which the build of the dashboard renders. */
export const notBuiltPage = (up: Layout["up"]): string =>
  page({
    title: "Holdall documentation",
    description: "The documents have not been built.",
    up,
    section: "guides",
    content: html`<main id="content" class="document" tabindex="-1"><h1>Documentation</h1><p>The guides have not been built. Start the server with <code>npm start</code>, or run <code>npm run build</code>. The <a href="${up}docs/api">API reference</a> is here.</p></main>`,
  });
