/** Longer ones do not fit into a cookie. */
const MAX_LENGTH = 1500;

/** The page after signing in: a path of this server. Anything else leads to the files. */
export function safeReturnPath(text: string | undefined): string {
  // Browsers treat a backslash as a slash and `//` as another site, and drop tabs and line breaks.
  const isPath = text !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text);
  const path = isPath ? URL.parse(text, ORIGIN) : null;
  if (path === null || path.origin !== ORIGIN) return "/files";
  const normal = `${path.pathname}${path.search}${path.hash}`;
  // Dots may have been the reason why it did not begin with two slashes.
  return normal.startsWith("//") || normal.length > MAX_LENGTH ? "/files" : normal;
}

const ORIGIN = "http://localhost";
