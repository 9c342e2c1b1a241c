import { definedEntries, type SomeValues } from "../connection/defined-entries.ts";

/** `Upload-Metadata` of tus: pairs of a key and its value in base64. Leaves out undefined values. */
export const encodeMetadata = (pairs: SomeValues): string =>
  definedEntries(pairs)
    .map(([key, value]) => `${key} ${toBase64(value)}`)
    .join(",");

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
