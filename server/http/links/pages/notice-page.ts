import { html } from "../../pages/html.ts";
import { type IconName, icon } from "./icons.ts";
import type { LinkPaths } from "./link-paths.ts";
import { type PageFrame, shell } from "./shell.ts";

export interface Notice {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  /** The id of a request that failed, for visitors who ask the operator about it. */
  readonly requestId?: string;
  /** The page at which the visitor can continue; undefined: there is none. */
  readonly link?: { readonly url: string; readonly label: string } | undefined;
  /** false: it is about the server itself. */
  readonly isShared?: boolean;
}

/** A page that only says something. */
export const noticePage = (frame: PageFrame, notice: Notice): string =>
  shell(frame, {
    title: notice.title,
    description: notice.text,
    width: "narrow",
    isShared: notice.isShared ?? true,
    content: html`<div class="notice">
<span class="medallion">${icon(notice.icon)}</span>
<h1>${notice.title}</h1>
<p>${notice.text}</p>
${notice.link === undefined ? undefined : html`<a class="button quiet" href="${notice.link.url}">${notice.link.label}</a>`}
${notice.requestId === undefined ? undefined : html`<p class="request-id">Request ${notice.requestId}</p>`}
</div>`,
  });

/** A path that nothing has any more, in a link that works. */
export const notThere = (paths: LinkPaths): Notice => ({
  icon: "broken",
  title: "Not found",
  text: "It is not shared any more, or it has another name now.",
  link: { url: paths.root(), label: "See what is shared" },
});

/** The same for unknown, expired, used up and revoked links: a visitor learns nothing more. */
export const UNAVAILABLE: Notice = {
  icon: "broken",
  title: "This link does not work",
  text: "It may have expired, reached its number of visits, or been revoked. Ask the person who sent it for a new one.",
};
