import { charsetGiven } from "../../../contract/text/charset.ts";
import { namedEncoding } from "../../../contract/text/named-encoding.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { ReadBytes } from "../../files/read.ts";
import { readDeliverable } from "../../semantics/deliverable-metadata.ts";

export interface Excerpt {
  readonly text: string;
  readonly isWhole: boolean;
}

const MAX_BYTES = 16 * 1024;

/**
 * The start of a text file. undefined: it is neither UTF-8 nor in an encoding that is named for it, is stored
 * compressed, or was replaced just now.
 * Fault "not_found": it was deleted.
 */
export async function readExcerpt(
  readBytes: ReadBytes,
  file: FileRecord,
): Promise<Excerpt | undefined> {
  if (readDeliverable(file.metadata).contentEncoding !== undefined) return undefined;
  const isWhole = file.size <= MAX_BYTES;
  const read = await readBytes(file, isWhole ? undefined : { start: 0, end: MAX_BYTES });
  if ("replacedBy" in read) return undefined;
  const bytes = await new Response(read.body).bytes();
  const named = namedEncoding(file.mimeType, bytes, charsetGiven(file.charset));
  const text = decode(bytes, named ?? "utf-8", isWhole) ?? decode(bytes, "utf-8", isWhole);
  return text === undefined || text.includes("\0") ? undefined : { text, isWhole };
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
