/** Where a link of a document may lead: the web and mail, in a tab of its own; else nowhere. */
export function safeLink(url: string): string | undefined {
  return /^(?:https?:\/\/|mailto:)/i.test(url) ? url : undefined;
}

/**
 * The key of the file that a relative address in a document means. `folder` is the document's, with
 * a slash at its end or empty. undefined: it leads elsewhere, or out of the tree.
 */
export function keyBeside(folder: string, url: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^[/\\#?]|\\/i.test(url)) return undefined;
  const [path = ""] = url.split(/[?#]/);
  const names = folder.split("/").filter((name) => name !== "");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") names.push(decoded(part));
    else if (names.pop() === undefined) return undefined;
  }
  return names.length === 0 ? undefined : names.join("/");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
