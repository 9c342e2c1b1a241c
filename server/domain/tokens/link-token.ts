import { createHash, createHmac, hkdfSync } from "node:crypto";

/*
 * The URL of a link ends with a token of 128 bits, which is derived from the id of the link. So it can
 * be shown again, although only its hash is stored.
 */

const PURPOSE = "holdall link v1";
const TOKEN_BYTES = 16;
/** 16 bytes as base64url: the last character encodes two bits, and its other four are 0. */
const TOKEN = /^[A-Za-z0-9_-]{21}[AQgw]$/;

/** Derives the token of a link from its id, with a key derived from `secret` for this alone (RFC 5869). */
export function createLinkTokens(secret: string): (id: string) => string {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", PURPOSE, 32));
  return (id) =>
    createHmac("sha256", key).update(id).digest().subarray(0, TOKEN_BYTES).toString("base64url");
}

/** Whether a link may have this token. */
export const isLinkToken = (text: string): boolean => TOKEN.test(text);

/** SHA-256 in lower-case hex. With 128 unguessable bits a slow hash adds nothing. */
export const hashLinkToken = (token: string): string =>
  createHash("sha256").update(token).digest("hex");
