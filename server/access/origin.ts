export interface RequestOrigin {
  readonly method: string;
  /** The headers of these names; null where they are absent. */
  readonly host: string | null;
  readonly origin: string | null;
  readonly secFetchSite: string | null;
  readonly secFetchDest: string | null;
  /** Where users reach the site, such as `https://files.example.com`; null: wherever `Host` says. */
  readonly publicOrigin: string | null;
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a request may use what a browser sends along by itself. Unsafe methods must come from our
 * own pages: browsers say so in `Sec-Fetch-Site` and `Origin`, and both must agree where they are
 * given. With neither, no browser sent it, so nobody's cookie was borrowed (as Go's
 * CrossOriginProtection reasons).
 */
export function sameOrigin(evidence: RequestOrigin): boolean {
  const { method, host, origin, secFetchSite, publicOrigin } = evidence;
  if (SAFE.has(method)) return true;
  if (secFetchSite !== null && secFetchSite !== "same-origin" && secFetchSite !== "none") {
    return false;
  }
  if (origin === null) return true;
  // A proxy may have replaced the Host, and it alone knows the scheme.
  if (publicOrigin !== null) return origin === publicOrigin;
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && url.host === normalHost(url, host);
}

/**
 * Whether a browser asks for it as a part of another origin's page: a picture, a script, a frame.
 * Cookies with SameSite go along where that is a sister's (another subdomain, another port), whose
 * page would then see whether it could be loaded, and what a script does. A link to it is none.
 */
export function isEmbedded({ secFetchSite, secFetchDest }: RequestOrigin): boolean {
  const isElsewhere =
    secFetchSite !== null && secFetchSite !== "same-origin" && secFetchSite !== "none";
  return isElsewhere && secFetchDest !== "document";
}

/** The Host header without the port that the origin's scheme implies anyway. */
function normalHost({ protocol }: URL, host: string | null): string | undefined {
  return host === null ? undefined : URL.parse(`${protocol}//${host}`)?.host;
}
