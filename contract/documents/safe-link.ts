import { decodeSegment } from "../text/decode-segment.ts";

/** Allows only web and mail links in documents; undefined for any other URL. */
export function safeLink(url: string): string | undefined {
  return /^(?:https?:\/\/|mailto:)/i.test(url) ? url : undefined;
}

/**
 * Resolves a relative URL in a document to a file key. `folder` is the document's folder, empty or
 * with a trailing slash. Undefined if the URL is not relative or leaves the tree, also by encoded dots and slashes.
 */
export function resolveRelativeKey(folder: string, url: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^[/\\#?]|\\/i.test(url)) return undefined;
  const [path = ""] = url.split(/[?#]/);
  const names = folder.split("/").filter((name) => name !== "");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    const name = decodeSegment(part);
    if (name === "..") {
      if (names.pop() === undefined) return undefined;
    } else if (name === "." || /[/\\]/.test(name)) return undefined;
    else names.push(name);
  }
  return names.length === 0 ? undefined : names.join("/");
}
