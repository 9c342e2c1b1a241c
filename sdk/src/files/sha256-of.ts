import { matchOf } from "../connection/match-of.ts";
/** The SHA-256 in `Repr-Digest` (RFC 9530) in hexadecimal. */
export function sha256Of(header: string | null): string | undefined {
  const [encoded] = matchOf(/(?:^|,)\s*sha-256=:([a-z\d+/]{43}=):/i, header);
  return encoded && hexOf(Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0)));
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
