const NAME = "holdall-link";

/** Every value of the cookie: a browser may have one of each path above. */
export function readVisitCookies(header: string | null): string[] {
  if (header === null) return [];
  const start = `${NAME}=`;
  return header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}

export interface VisitCookie {
  readonly value: string;
  /** In seconds. */
  readonly maxAge: number;
  /** The path of the link, below which alone the browser sends the cookie. */
  readonly path: string;
  /** Whether the server is reached over HTTPS. */
  readonly secure: boolean;
}

/** The value of `Set-Cookie`. It has nothing to do with the session of the dashboard. */
export const visitCookie = ({ value, maxAge, path, secure }: VisitCookie): string =>
  `${NAME}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
