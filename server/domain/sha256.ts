import { Fault } from "./faults/fault.ts";
import type { Sha256 } from "./records.ts";

/** Parses the field or parameter `sha256`: 64 hexadecimal digits of either case. Fault "invalid" names it. */
export function parseSha256(text: string): Sha256 {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase() as Sha256;
  throw new Fault(
    "invalid",
    "`sha256` must be a SHA-256 digest: 64 hexadecimal digits, as `sha256sum` prints it.",
  );
}

/** The digest of these 32 bytes; undefined: they are not 32 bytes. */
export const sha256Of = (bytes: Uint8Array): Sha256 | undefined =>
  bytes.length === 32 ? (Buffer.from(bytes).toString("hex") as Sha256) : undefined;

/** In base64, as HTTP fields have it. */
export const sha256Base64 = (digest: Sha256): string =>
  Buffer.from(digest, "hex").toString("base64");
