import { ownDeclaration } from "./charset.ts";

/**
 * The encoding that is named for a text: by its byte order mark, by `declared`, the charset of its media type, or by
 * the text itself, in this order, as browsers have it. A label that `TextDecoder` accepts; undefined: none is named
 * that it accepts.
 */
export function namedEncoding(
  mimeType: string,
  start: Uint8Array,
  declared: string | null | undefined,
): string | undefined {
  const own = ownDeclaration(mimeType, new TextDecoder("latin1").decode(start.subarray(0, 1024)));
  // A declaration that could be read as ASCII cannot be in UTF-16 (HTML, section 13.2.3.3).
  const readable = own?.replace(/^utf-?16(?:[bl]e)?$/i, "utf-8");
  return [markOf(start), declared, readable].map(canDecode).find((label) => label !== undefined);
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

function canDecode(label: string | null | undefined): string | undefined {
  if (label === null || label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
