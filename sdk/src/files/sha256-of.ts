/** The SHA-256 in `Repr-Digest` (RFC 9530) in hexadecimal. */
export function sha256Of(header: string | null): string | undefined {
  const [, encoded] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(header ?? "") ?? [];
  if (encoded === undefined) return undefined;
  return hexOf(Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0)));
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
