import type { FileRecord } from "../../domain/records.ts";
import type { ReadBytes } from "../../files/read.ts";
import { readDeliverable } from "../../semantics/deliverable-metadata.ts";

export interface Excerpt {
  readonly text: string;
  readonly isWhole: boolean;
}

const MAX_BYTES = 16 * 1024;

/**
 * The start of a text file. undefined: it is not UTF-8, is stored compressed, or was replaced just now.
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
  try {
    // With `stream`, a character that the excerpt cuts is left out.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return text.includes("\0") ? undefined : { text, isWhole };
  } catch {
    return undefined;
  }
}
