import { SESSION_LIFE } from "./sessions.ts";

interface CookieOptions {
  /** Whether the site is served over https. */
  readonly secure: boolean;
}

/** With the prefix, browsers take the cookie only over https, for this host and the whole of it. */
const nameFor = ({ secure }: CookieOptions): string =>
  secure ? "__Host-holdall_session" : "holdall_session";

/** The value of `Set-Cookie` that keeps the session's token (RFC 6265). */
export function sessionCookie(token: string, options: CookieOptions): string {
  return cookie(token, SESSION_LIFE / 1000, options);
}

/** The value of `Set-Cookie` that removes it. */
export function clearSessionCookie(options: CookieOptions): string {
  return cookie("", 0, options);
}

function cookie(value: string, maxAge: number, options: CookieOptions): string {
  const secure = options.secure ? "; Secure" : "";
  return `${nameFor(options)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

const TOKEN = /^[0-9A-Za-z]{43}$/;

/**
 * The session's token in a `Cookie` header. undefined: there is none, or more than one, since then
 * somebody else's may be among them.
 */
export function readSessionToken(
  header: string | null,
  options: CookieOptions,
): string | undefined {
  if (header === null) return undefined;
  const start = `${nameFor(options)}=`;
  const found = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  const token = found.length === 1 ? found[0]?.slice(start.length) : undefined;
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}
