import { declaredCharset } from "../../../../../../contract/text/charset.ts";
import { hasMoreErrorsThanCharacters } from "../../../../../../contract/text/decoding-errors.ts";
import { namedEncoding } from "../../../../../../contract/text/named-encoding.ts";

export interface DecodedText {
  readonly text: string;
  /** Such as "UTF-8" or "Windows-1252"; the label that was chosen or named. */
  readonly encoding: string;
}

export interface EncodingHints {
  /** A label of the Encoding standard that the user has chosen, which decides. */
  readonly chosen?: string | undefined;
  /** The `Content-Type` of the response. */
  readonly contentType?: string | null;
}

/**
 * Decodes the beginning of a text, given in chunks. Without a choice, the encoding is the one that is named for the
 * text; without a name it is UTF-8, or Windows-1252, which includes Latin-1, if that makes more sense. A
 * character cut off at the end is left out.
 */
export function decodeText(
  chunks: readonly Uint8Array[],
  { chosen, contentType = null }: EncodingHints = {},
): DecodedText {
  if (chosen !== undefined) return { text: decode(chunks, chosen), encoding: chosen };
  const [first = new Uint8Array()] = chunks;
  const mimeType = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const named = namedEncoding(mimeType, first, declaredCharset(contentType)) ?? "utf-8";
  if (named !== "utf-8") {
    return { text: decode(chunks, named), encoding: named.startsWith("utf-16") ? "UTF-16" : named };
  }
  const text = decode(chunks, "utf-8");
  const hasMark = first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf;
  if (hasMark || !hasMoreErrorsThanCharacters(text)) return { text, encoding: "UTF-8" };
  return { text: decode(chunks, "windows-1252"), encoding: "Windows-1252" };
}

function decode(chunks: readonly Uint8Array[], encoding: string): string {
  const decoder = new TextDecoder(encoding);
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
}
