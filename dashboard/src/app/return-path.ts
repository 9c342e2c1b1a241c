/** The address of the sign-in page that leads back to `path`. */
export function signInPath(path: string): string {
  const start = path === "/" || path.startsWith("/sign-in") || path.startsWith("/setup");
  return start ? "/sign-in" : `/sign-in?to=${encodeURIComponent(path)}`;
}

/** Where to go after signing in: a path of the dashboard, whatever the query says. */
export function returnPath(query: string): string {
  const to = new URLSearchParams(query).get("to") ?? "";
  // Browsers take a backslash for a slash, two slashes for another site, and drop tabs and line ends.
  const isOurs = /^\/(?!\/)[^\\\p{Cc}]*$/u.test(to);
  return isOurs ? to : "/files";
}
