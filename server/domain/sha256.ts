import { Fault } from "./faults/fault.ts";
import type { Sha256 } from "./records.ts";

/**
 * Parses 64 hexadecimal digits of either case. Fault "invalid" names `field`, the field or parameter
 * with the text.
 */
export function parseSha256(field: string, text: string): Sha256 {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase() as Sha256;
  throw new Fault(
    "invalid",
    `\`${field}\` must be a SHA-256 digest: 64 hexadecimal digits, as \`sha256sum\` prints it.`,
  );
}

/** The digest of these 32 bytes; undefined: they are not 32 bytes. */
export const sha256Of = (bytes: Uint8Array): Sha256 | undefined =>
  bytes.length === 32 ? (Buffer.from(bytes).toString("hex") as Sha256) : undefined;

/** In base64, as HTTP fields have it. */
export const sha256Base64 = (digest: Sha256): string =>
  Buffer.from(digest, "hex").toString("base64");
