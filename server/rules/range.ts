/** Bytes [start, end). */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** What a `Range` header asks of a file. */
export type Range = "whole" | "unsatisfiable" | Slice;

const BYTES = /^bytes=([0-9]*)-([0-9]*)$/i;

/**
 * The bytes that a `Range` header asks for, of a file of `size` bytes (RFC 9110, section 14).
 * "whole": no header, or one that a server may ignore: malformed, another unit, several ranges.
 * "unsatisfiable": it starts past the last byte or asks for the last 0 bytes; so does every valid
 * range of an empty file. An end past the last byte is clamped. Time is linear in the header.
 */
export function parseRange(header: string | null, size: number): Range {
  if (header === null) return "whole";
  // Several ranges are never looked at, so that a header full of them costs nothing.
  if (header.includes(",")) return "whole";
  const match = BYTES.exec(header);
  if (match === null) return "whole";
  const [, first = "", last = ""] = match;
  if (first === "") return last === "" ? "whole" : finalBytes(Number(last), size);
  if (last !== "" && isGreater(first, last)) return "whole";
  // Digits beyond 2^53 are rounded, but never to below it: no file is that large.
  const start = Number(first);
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size : Math.min(Number(last), size - 1) + 1 };
}

function finalBytes(count: number, size: number): Range {
  if (count === 0 || size === 0) return "unsatisfiable";
  return { start: Math.max(0, size - count), end: size };
}

/** Compares digits of any length exactly, where numbers would be rounded. */
function isGreater(a: string, b: string): boolean {
  const [x, y] = [withoutZeros(a), withoutZeros(b)];
  return x.length === y.length ? x > y : x.length > y.length;
}

const withoutZeros = (digits: string): string => digits.replace(/^0+/, "");
