/** Bytes [start, end). */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** The part of a file that a `Range` header requests. */
export type Range = "whole" | "unsatisfiable" | Slice;

const BYTES = /^bytes=([0-9]*)-([0-9]*)$/i;

/**
 * Parses a `Range` header for a file of `size` bytes (RFC 9110, section 14). "whole": no header, or one
 * that a server may ignore: malformed, another unit, several ranges. "unsatisfiable": the range starts
 * after the last byte or is the last 0 bytes, as is any valid range of an empty file. An end after the
 * last byte is clamped. Takes time linear in the length of the header.
 */
export function parseRange(header: string | null, size: number): Range {
  if (header === null) return "whole";
  // Several ranges are never parsed, so a header with many of them costs nothing.
  if (header.includes(",")) return "whole";
  const match = BYTES.exec(header);
  if (match === null) return "whole";
  const [, first = "", last = ""] = match;
  if (first === "") return last === "" ? "whole" : finalBytes(Number(last), size);
  if (last !== "" && isGreater(first, last)) return "whole";
  // Numbers beyond 2^53 are rounded, but never below it, and no file is that large.
  const start = Number(first);
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size : Math.min(Number(last), size - 1) + 1 };
}

function finalBytes(count: number, size: number): Range {
  if (count === 0 || size === 0) return "unsatisfiable";
  return { start: Math.max(0, size - count), end: size };
}

/** Compares decimal digits of any length exactly. */
function isGreater(a: string, b: string): boolean {
  const [x, y] = [withoutZeros(a), withoutZeros(b)];
  return x.length === y.length ? x > y : x.length > y.length;
}

const withoutZeros = (digits: string): string => digits.replace(/^0+/, "");
