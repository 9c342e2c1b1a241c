import { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { ReadBytes } from "../../files/read.ts";
import { readDeliverable } from "../../semantics/deliverable-metadata.ts";
import { readExcerpt } from "../links/read-excerpt.ts";

export const MAX_TEXT_BYTES = 64 * 1024;

export interface TextPiece {
  readonly text: string;
  /** The start of the piece, in bytes. */
  readonly start: number;
  /** The start of the next piece; null: this is the last one. */
  readonly nextStart: number | null;
}

/**
 * Up to 64 KB of a text file from the byte `start`, without the parts of characters that it cuts. Faults:
 * "invalid": `start` is after the end; "unprocessable": the file is no text, or none that can be read in pieces;
 * "unavailable": it was replaced just now; those of `ReadBytes`.
 */
export async function readTextPiece(
  readBytes: ReadBytes,
  file: FileRecord,
  start: number,
): Promise<TextPiece> {
  const { size } = file;
  if (start > size)
    throw new Fault("invalid", `\`start\` is after the end: the file has ${size} bytes.`);
  if (size === 0) return { text: "", start, nextStart: null };
  if (readDeliverable(file.metadata).contentEncoding !== undefined) {
    throw noText("is stored compressed");
  }
  const end = Math.min(size, start + MAX_TEXT_BYTES);
  const read = await readBytes(file, start === 0 && end === size ? undefined : { start, end });
  if ("replacedBy" in read) {
    throw new Fault("unavailable", "The file was replaced just now. Try again.", { retryAfter: 1 });
  }
  const bytes = await new Response(read.body).bytes();
  const from = start === 0 ? 0 : continuationsIn(bytes);
  const to = end === size ? bytes.length : lastBoundary(bytes);
  const text = decodeUtf8(bytes.subarray(from, to));
  if (text !== undefined && !text.includes("\0")) {
    return { text, start: start + from, nextStart: end === size ? null : start + to };
  }
  if (start > 0 || end < size) throw noText("is not UTF-8");
  const excerpt = await readExcerpt(readBytes, file, null);
  if (excerpt?.text === undefined) throw noText("is not a text");
  return { text: excerpt.text, start, nextStart: null };
}

const noText = (reason: string): Fault =>
  new Fault(
    "unprocessable",
    `The file ${reason}: it can be downloaded with \`request_download\`, if the key may share.`,
  );

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80;

/** The bytes at the start that belong to a character before. */
function continuationsIn(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && isContinuation(bytes[count])) count += 1;
  return count;
}

/** The end without the start of a character that is cut. */
function lastBoundary(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > bytes.length - 3 && isContinuation(bytes[end - 1])) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - (end - 1) >= length ? bytes.length : end - 1;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
