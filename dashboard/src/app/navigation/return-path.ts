/** The path of the sign-in page that returns to `path` afterwards. */
export function signInPath(path: string): string {
  const isPublic = path === "/" || path.startsWith("/sign-in") || path.startsWith("/setup");
  return isPublic ? "/sign-in" : `/sign-in?to=${encodeURIComponent(path)}`;
}

/** The page to open after signing in: always a path of the dashboard, whatever the query says. */
export function returnPath(query: string): string {
  const to = new URLSearchParams(query).get("to") ?? "";
  // Browsers treat a backslash as a slash and `//` as another site, and drop tabs and line breaks.
  const isLocal = /^\/(?!\/)[^\\\p{Cc}]*$/u.test(to);
  return isLocal ? to : "/files";
}
