import { operations } from "../../../contract/operations.ts";
import { html, type Markup, trusted } from "./html.ts";
import { page } from "./layout.ts";
import { type Topic, topicGroups } from "./topics.ts";

/** The documents of the repository as the build of the dashboard renders them. */
export interface Guides {
  readonly guides: Readonly<Record<string, RenderedGuide>>;
  /** The URL of the script of the pages, below the site. */
  readonly script: string | undefined;
  /** The URL of the passages that the search reads, below the site. */
  readonly search: string;
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
    ...urlsOf(guides, ""),
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
    ...urlsOf(guides, "../"),
    content: html`<div class="guide">
${topicList(guides, topic.slug)}
<main id="content" class="document" tabindex="-1">
${trusted(guide.html)}
${operationList(topic)}
</main>
${parts.length < 2 ? undefined : html`<nav class="parts" aria-label="On this page"><b>On this page</b><ul>${parts.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`}
</div>`,
  });
}

const urlsOf = ({ script, search }: Guides, up: "" | "../") => ({
  script: script === undefined ? undefined : `${up}${script}`,
  search: `${up}${search}`,
});

/** All topics: at the side, or folded on phones. */
function topicList({ guides }: Guides, current: string): Markup {
  const groups = topicGroups.map(
    ({ title, topics }) =>
      html`<li><span class="tag">${title}</span><ul>${topics.map(
        ({ slug }) =>
          html`<li><a href="${slug}"${slug === current ? html` aria-current="page"` : undefined}>${guides[slug]?.title ?? slug}</a></li>`,
      )}</ul></li>`,
  );
  const list = html`<ul>${groups}</ul>`;
  return html`<nav class="contents topics" id="topics" aria-label="Guides">${list}</nav>
<details class="topics-fold"><summary>All guides</summary><nav class="contents" aria-label="All guides">${list}</nav></details>`;
}

const operationList = ({ operations: ids = [] }: Topic): Markup | undefined =>
  ids.length === 0
    ? undefined
    : html`<section class="operations" aria-labelledby="api-operations"><h2 id="api-operations">Operations</h2><ul>${ids.map(
        (id) => {
          const { method, summary } = operations[id];
          return html`<li><a href="api#${id}"><span class="method ${method.toLowerCase()}">${method}</span> ${summary}</a></li>`;
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
export const missingPage = (guides: Guides | undefined): string =>
  page({
    title: "Not found · Holdall",
    description: "There is no document with this address.",
    up: "../",
    section: "guides",
    ...(guides && urlsOf(guides, "../")),
    content: html`<main id="content" class="document" tabindex="-1"><h1>Not found</h1><p>There is no document with this address. Look in the <a href="../docs">guides</a> and the <a href="api">API reference</a>, or search.</p></main>`,
  });

/** In place of the documents, which the build of the dashboard renders. */
export const notBuiltPage = (up: "" | "../"): string =>
  page({
    title: "Holdall documentation",
    description: "The documents have not been built.",
    up,
    section: "guides",
    content: html`<main id="content" class="document" tabindex="-1"><h1>Documentation</h1><p>The guides have not been built. Start the server with <code>npm start</code>, or run <code>npm run build</code>. The <a href="${up}docs/api">API reference</a> is here.</p></main>`,
  });
