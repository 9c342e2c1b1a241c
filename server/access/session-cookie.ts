import type { SessionRecord } from "../domain/records.ts";

interface CookieOptions {
  /** Whether the server is reached over HTTPS. */
  readonly secure: boolean;
}

/** Browsers accept a `__Host-` cookie only over HTTPS, for this host and all its paths. */
const cookieName = ({ secure }: CookieOptions): string =>
  secure ? "__Host-holdall_session" : "holdall_session";

/** The value of `Set-Cookie` that stores the token of a new session for as long as it lives (RFC 6265). */
export function sessionCookie(
  token: string,
  { createdAt, expiresAt }: Pick<SessionRecord, "createdAt" | "expiresAt">,
  options: CookieOptions,
): string {
  return cookie(token, Math.floor((expiresAt - createdAt) / 1000), options);
}

/** The value of `Set-Cookie` that removes the session token. */
export function clearSessionCookie(options: CookieOptions): string {
  return cookie("", 0, options);
}

function cookie(value: string, maxAge: number, options: CookieOptions): string {
  const secure = options.secure ? "; Secure" : "";
  return `${cookieName(options)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

const TOKEN = /^[0-9A-Za-z]{43}$/;

/**
 * The session token in a `Cookie` header. undefined: none, or more than one, because another site of
 * the domain may then have set one.
 */
export function readSessionToken(
  header: string | null,
  options: CookieOptions,
): string | undefined {
  if (header === null) return undefined;
  const start = `${cookieName(options)}=`;
  const found = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  const token = found.length === 1 ? found[0]?.slice(start.length) : undefined;
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}
