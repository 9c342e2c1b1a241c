import { ParseError, parseDictionary } from "structured-headers";
import { Fault } from "../domain/faults/fault.ts";
import type { Sha256 } from "../domain/records.ts";
import { sha256Base64, sha256Of } from "../domain/sha256.ts";

/*
 * Digest fields (RFC 9530): Content-Digest, Repr-Digest, Want-Repr-Digest. Of their algorithms only
 * SHA-256 is known; others are ignored.
 */

const SHA_256 = "sha-256";

/**
 * The SHA-256 in a Content-Digest or Repr-Digest; undefined: it has none. Fault "invalid" names the
 * header: it is malformed. RFC 9651, section 4.2 also allows to ignore it, but the client asked for a
 * check that cannot be made.
 */
export function parseDigestField(name: string, value: string): Sha256 | undefined {
  const found = memberIn(value);
  if (found === undefined) return undefined;
  const digest = found instanceof ArrayBuffer ? sha256Of(new Uint8Array(found)) : undefined;
  if (digest === undefined) {
    throw new Fault(
      "invalid",
      `The header ${name} is malformed. It should look like \`sha-256=:BASE64:\`, with the 32 bytes of the digest.`,
    );
  }
  return digest;
}

/** The value of a Content-Digest or Repr-Digest. */
export const digestField = (digest: Sha256): string => `${SHA_256}=:${sha256Base64(digest)}:`;

/**
 * Whether a Want-Repr-Digest asks for SHA-256: its preference is 1 to 10. A malformed header is
 * ignored, as RFC 9651, section 4.2 requires.
 */
export function wantsDigest(value: string | null): boolean {
  const preference = value === null ? undefined : memberIn(value);
  return (
    typeof preference === "number" &&
    Number.isInteger(preference) &&
    preference >= 1 &&
    preference <= 10
  );
}

/** The value of SHA-256 in a dictionary (RFC 9651); null: the text is malformed. */
function memberIn(text: string): unknown {
  try {
    return parseDictionary(text).get(SHA_256)?.[0];
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}
