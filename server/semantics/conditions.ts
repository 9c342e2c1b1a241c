import type { Millis } from "../domain/records.ts";
import { parseHttpDate, wholeSeconds } from "./etag.ts";

/** The result of a conditional header; "none": the header is absent or invalid. */
export type Condition = "none" | "true" | "false";

/**
 * "false": the client expects other content. Strong comparison, so a weak tag never matches (RFC 9110,
 * section 13.1.1). An empty or malformed list matches nothing.
 */
export function checkIfMatch(header: string | null, etag: string): Condition {
  if (header === null) return "none";
  if (header === etag || header === "*") return "true";
  for (const { tag, weak } of tagsOf(header)) {
    if (tag === etag && !weak) return "true";
  }
  return "false";
}

/**
 * "false": the content was modified since (RFC 9110, section 13.1.4). Ignore this if the request has an
 * `If-Match`. "none": no header, or no valid HTTP date.
 */
export function checkIfUnmodifiedSince(header: string | null, modifiedAt: Millis): Condition {
  const modified = checkIfModifiedSince(header, modifiedAt);
  if (modified === "none") return "none";
  return modified === "true" ? "false" : "true";
}

/**
 * "false": the client already has this content. Weak comparison: a `W/` before our strong tag makes no
 * difference (RFC 9110, section 13.1.2). Elements after a malformed one are ignored; an empty or
 * malformed list matches nothing, so the file is sent.
 */
export function checkIfNoneMatch(header: string | null, etag: string): Condition {
  if (header === null) return "none";
  if (header === etag || header === "*") return "false";
  for (const { tag } of tagsOf(header)) {
    if (tag === etag) return "false";
  }
  return "true";
}

/** Whether the value of an `If-Match` or `If-None-Match` is well-formed: `*`, or a list with at least one tag. */
export function isTagCondition(header: string): boolean {
  if (header === "*") return true;
  let end = 0;
  for (const found of tagsOf(header)) end = found.end;
  return end > 0 && /^[\t ,]*$/.test(header.slice(end));
}

interface ListedTag {
  readonly tag: string;
  readonly weak: boolean;
  /** The position after it in the header. */
  readonly end: number;
}

/** The tags of a list, up to the first malformed element. */
function* tagsOf(header: string): Generator<ListedTag> {
  // A tag may contain commas, so the list cannot be split at them.
  const element = /[\t ,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/y;
  for (let match = element.exec(header); match !== null; match = element.exec(header)) {
    yield { tag: match[2] ?? "", weak: match[1] !== undefined, end: element.lastIndex };
  }
}

/**
 * "false": the content was not modified since (RFC 9110, section 13.1.3). Ignore this if the request has
 * an `If-None-Match`. "none": no header, or no valid HTTP date.
 */
export function checkIfModifiedSince(header: string | null, modifiedAt: Millis): Condition {
  if (header === null) return "none";
  const since = parseHttpDate(header);
  if (since === undefined) return "none";
  return wholeSeconds(modifiedAt) <= since ? "false" : "true";
}

/**
 * "true": send the range (RFC 9110, section 13.1.5). Strong comparison, so a weak tag never matches; a
 * date must equal `Last-Modified`. Anything else is "false".
 */
export function checkIfRange(header: string | null, etag: string, modifiedAt: Millis): Condition {
  if (header === null) return "none";
  if (header === etag) return "true";
  return parseHttpDate(header) === wholeSeconds(modifiedAt) ? "true" : "false";
}
