/** `Upload-Metadata` of tus: pairs of a key and its value in base64. Leaves out undefined values. */
export function encodeMetadata(pairs: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(pairs)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key} ${toBase64(value)}`]))
    .join(",");
}

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
