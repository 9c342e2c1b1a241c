export interface RequestOrigin {
  readonly method: string;
  /** Headers; null: absent. */
  readonly host: string | null;
  readonly origin: string | null;
  readonly secFetchSite: string | null;
  readonly secFetchDest: string | null;
  /** The configured origin, such as `https://files.example.com`; null: the origin of `Host`. */
  readonly publicOrigin: string | null;
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * CSRF protection: whether a request may use the cookies that a browser attaches. Safe methods always
 * may. Others must come from our own origin, and say so: a browser so old that it sends neither `Origin` nor
 * `Sec-Fetch-Site` sends the cookies of a form on another site, too.
 */
export function mayUseCookies(request: RequestOrigin): boolean {
  const { method, origin, secFetchSite } = request;
  if (SAFE.has(method)) return true;
  return (origin !== null || secFetchSite !== null) && sameOrigin(request);
}

/**
 * Whether a request may come from our own origin. Safe methods always may. Others must come from it by
 * `Sec-Fetch-Site` and `Origin`; either may be missing.
 */
export function sameOrigin(request: RequestOrigin): boolean {
  const { method, host, origin, secFetchSite, publicOrigin } = request;
  if (SAFE.has(method)) return true;
  if (secFetchSite !== null && secFetchSite !== "same-origin" && secFetchSite !== "none") {
    return false;
  }
  if (origin === null) return true;
  // Behind a proxy, neither Host nor the scheme are reliable.
  if (publicOrigin !== null) return origin === publicOrigin;
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && url.host === normalizeHost(url, host);
}

/**
 * Whether another origin's page embeds the resource, as an image, script or frame. SameSite cookies
 * are sent when that origin is same-site (another subdomain or port), whose page could then see
 * whether it loads, and what a script does. Following a link is not embedding.
 */
export function isEmbedded({ secFetchSite, secFetchDest }: RequestOrigin): boolean {
  const isCrossOrigin =
    secFetchSite !== null && secFetchSite !== "same-origin" && secFetchSite !== "none";
  return isCrossOrigin && secFetchDest !== "document";
}

/** The Host header without the default port of the origin's scheme. */
function normalizeHost({ protocol }: URL, host: string | null): string | undefined {
  return host === null ? undefined : URL.parse(`${protocol}//${host}`)?.host;
}
