import { charsetGiven } from "../../../contract/text/charset.ts";
import { hasMoreErrorsThanCharacters } from "../../../contract/text/decoding-errors.ts";
import { ENCODINGS } from "../../../contract/text/encodings.ts";
import { namedEncoding } from "../../../contract/text/named-encoding.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { ReadBytes } from "../../files/read.ts";
import { readDeliverable } from "../../semantics/deliverable-metadata.ts";

export interface Excerpt {
  /** undefined: nobody has named or chosen its encoding, and it cannot be guessed. */
  readonly text: string | undefined;
  readonly isWhole: boolean;
  /** The label of the encoding that was chosen or guessed. Absent: the text names it, or is UTF-8. */
  readonly encoding?: string;
  /** Visitors may choose another encoding. */
  readonly canChoose: boolean;
}

const MAX_BYTES = 64 * 1024;
const LATIN = "windows-1252";

/**
 * The start of a text file. undefined: it is binary, is stored compressed, or was replaced just now.
 * `chosen`: the label of an encoding, which counts if the text is neither UTF-8 nor in the encoding that is named for it.
 * Fault "not_found": it was deleted.
 */
export async function readExcerpt(
  readBytes: ReadBytes,
  file: FileRecord,
  chosen: string | null,
): Promise<Excerpt | undefined> {
  if (readDeliverable(file.metadata).contentEncoding !== undefined) return undefined;
  const isWhole = file.size <= MAX_BYTES;
  const read = await readBytes(file, isWhole ? undefined : { start: 0, end: MAX_BYTES });
  if ("replacedBy" in read) return undefined;
  const bytes = await new Response(read.body).bytes();
  const named = namedEncoding(file.mimeType, bytes, charsetGiven(file.charset));
  const text = decode(bytes, named ?? "utf-8", isWhole) ?? decode(bytes, "utf-8", isWhole);
  if (text !== undefined) {
    return text.includes("\0") ? undefined : { text, isWhole, canChoose: false };
  }
  if (bytes.includes(0) && !named?.startsWith("utf-16")) return undefined;
  const encoding = ENCODINGS.find(({ value }) => value === chosen)?.value ?? guess(bytes, named);
  if (encoding === undefined) return { text: undefined, isWhole, canChoose: true };
  const decoded = new TextDecoder(encoding).decode(bytes, { stream: !isWhole });
  return decoded.includes("\0") ? undefined : { text: decoded, encoding, isWhole, canChoose: true };
}

/** The most likely encoding of a text with bytes that the named one does not allow. */
function guess(bytes: Uint8Array, named: string | undefined): string | undefined {
  if (named !== undefined && named !== "utf-8") return named;
  if (!hasMoreErrorsThanCharacters(new TextDecoder().decode(bytes))) return "utf-8";
  return looksLatin(bytes) ? LATIN : undefined;
}

/** undefined: it has another encoding. */
function decode(bytes: Uint8Array, encoding: string, isWhole: boolean): string | undefined {
  try {
    // With `stream`, a character that the excerpt cuts is left out.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return undefined;
  }
}

/** Bytes that Windows-1252 gives no character. Encodings with several bytes a character use them. */
const UNUSED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/**
 * Whether a text that is not UTF-8 reads as Windows-1252, which includes Latin-1: its letters are of ASCII for the
 * most part. Those of other scripts are not.
 */
function looksLatin(bytes: Uint8Array): boolean {
  let letters = 0;
  let others = 0;
  for (const byte of bytes) {
    if (UNUSED.has(byte)) return false;
    const lower = byte | 0x20;
    if (lower >= 0x61 && lower <= 0x7a) letters += 1;
    else if (byte > 0x7f) others += 1;
  }
  return letters >= others;
}
