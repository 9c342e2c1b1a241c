/** In a browser, URLs such as "/" are relative to the page. undefined: it is not a URL. */
export function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url, globalThis.location?.href);
  } catch {
    return undefined;
  }
}
