import { PENDING_MS } from "./pending-sign-ins.ts";

interface CookieOptions {
  /** Whether the server is reached over HTTPS. */
  readonly secure: boolean;
}

/** Browsers accept a `__Host-` cookie only over HTTPS, for this host and all its paths. */
const nameOf = ({ secure }: CookieOptions): string =>
  secure ? "__Host-holdall_oidc" : "holdall_oidc";

/** The value of `Set-Cookie` that keeps a pending sign-in. Lax: the provider's page sends the browser back. */
export const pendingCookie = (sealed: string, options: CookieOptions): string =>
  cookie(sealed, PENDING_MS / 1000, options);

export const clearPendingCookie = (options: CookieOptions): string => cookie("", 0, options);

const cookie = (value: string, maxAge: number, options: CookieOptions): string =>
  `${nameOf(options)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${options.secure ? "; Secure" : ""}`;

/** undefined: none, or more than one, because another site of the domain may then have set one. */
export function readPendingCookie(
  header: string | null,
  options: CookieOptions,
): string | undefined {
  const start = `${nameOf(options)}=`;
  const found = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  return found.length === 1 ? found[0]?.slice(start.length) : undefined;
}
