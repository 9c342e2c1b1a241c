import { type Content, html, type Markup } from "./html.ts";

/** A link of a list at the side. */
export interface SideLink {
  readonly href: string;
  readonly title: Content;
}

export const sideLink = ({ href, title }: SideLink, isCurrent: boolean, below?: Markup): Markup =>
  html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : undefined}>${title}</a>${below}</li>
`;

/** The list of all pages: at the side, or folded above the content on phones, which may have a shorter one. */
export function sideList(name: string, entries: Content, folded: Content = entries): Markup {
  return html`<nav class="contents" aria-label="${name}"><ul>${entries}</ul></nav>
<details class="contents-fold"><summary>${name}: all pages</summary><nav class="contents" aria-label="${name}, all pages"><ul>${folded}</ul></nav></details>`;
}

/** Links to the pages before and after one, at its end. */
export function neighborLinks(pages: readonly SideLink[], at: number): Markup {
  const link = (page: SideLink | undefined, word: "Previous" | "Next"): Markup | undefined =>
    page &&
    html`<a class="${word.toLowerCase()}" rel="${word === "Next" ? "next" : "prev"}" href="${page.href}"><span>${word}</span> ${page.title}</a>`;
  return html`<nav class="neighbors" aria-label="Previous and next page">${link(pages[at - 1], "Previous")}${link(pages[at + 1], "Next")}</nav>`;
}
