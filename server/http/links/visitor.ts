/**
 * Programs that fetch a link to show a preview of it, or to index it. Not the browsers within apps, such as
 * those of Telegram and LinkedIn, which also name the app.
 */
const ROBOTS =
  /(?<!cu)bot(?:\b|[_-])|crawler|spider|slurp|preview|facebookexternalhit|facebookcatalog|^whatsapp|slack-imgproxy|vkshare|embedly|iframely|line-poker|kakaotalk-scrap|google-(?:read-aloud|pagerenderer|inspectiontool)|googleother|archiver/i;

/** Browsers send them when they load a page before anybody asks for it. */
const PREFETCH_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * Whether the request is no visit: HEAD, a prefetch, or a program that shows previews. It costs no visit,
 * and gets no content that a visit is needed for.
 */
export function isPreview({ method, headers }: Request): boolean {
  if (method === "HEAD") return true;
  return isPrefetch({ headers }) || ROBOTS.test(headers.get("user-agent") ?? "");
}

/** Whether a browser asks before its user does, and may show the response when the link is opened. */
export const isPrefetch = ({ headers }: Pick<Request, "headers">): boolean =>
  PREFETCH_HEADERS.some((name) => /prefetch|preview|prerender/i.test(headers.get(name) ?? ""));

/** Whether an error should be a page for a person; otherwise it is the envelope. */
export const wantsPage = ({ headers }: Request): boolean =>
  headers.get("accept")?.includes("text/html") ?? false;
