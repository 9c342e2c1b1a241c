import type { Key } from "../records.ts";

const NEEDS_NO_ENCODING = /^[\w.~/-]*$/;

/**
 * The hosting URL of a file, relative to the base URL. Each segment is percent-encoded once, quotes and
 * parentheses too, so that the URL works unchanged in an address bar, an HTML attribute and a Markdown
 * link.
 */
export function hostingUrl(key: Key): string {
  return `api/hosting/${NEEDS_NO_ENCODING.test(key) ? key : encodePath(key)}`;
}

const encodePath = (key: Key): string =>
  encodeURIComponent(key)
    .replaceAll("%2F", "/")
    .replace(/['()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
