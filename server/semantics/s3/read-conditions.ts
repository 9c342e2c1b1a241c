import type { Millis } from "../../domain/records.ts";
import {
  checkIfMatch,
  checkIfModifiedSince,
  checkIfNoneMatch,
  checkIfUnmodifiedSince,
} from "../conditions.ts";

export interface ReadConditions {
  readonly ifMatch: string | null;
  readonly ifUnmodifiedSince: string | null;
  readonly ifNoneMatch: string | null;
  readonly ifModifiedSince: string | null;
}

export interface Version {
  /** Without quotes. */
  readonly etag: string;
  readonly modifiedAt: Millis;
}

/**
 * Whether a GET or HEAD, or a copy, may read the object: "failed" is 412, "unchanged" is 304, and 412 of a
 * copy. `If-Match` and `If-None-Match` take precedence over the dates (RFC 9110, section 13.2.2). Clients
 * of S3 may leave out the quotes.
 */
export function checkReadConditions(
  conditions: ReadConditions,
  { etag, modifiedAt }: Version,
): "passed" | "failed" | "unchanged" {
  const tag = `"${etag}"`;
  const match = checkIfMatch(quoted(conditions.ifMatch), tag);
  if (match === "false") return "failed";
  if (match === "none") {
    const unmodified = checkIfUnmodifiedSince(conditions.ifUnmodifiedSince, modifiedAt);
    if (unmodified === "false") return "failed";
  }
  const noneMatch = checkIfNoneMatch(quoted(conditions.ifNoneMatch), tag);
  if (noneMatch === "false") return "unchanged";
  if (noneMatch === "none") {
    const modified = checkIfModifiedSince(conditions.ifModifiedSince, modifiedAt);
    if (modified === "false") return "unchanged";
  }
  return "passed";
}

/** A bare ETag gets its quotes. */
export const quoted = (tag: string | null): string | null =>
  tag !== null && /^[0-9A-Za-z-]+$/.test(tag.trim()) ? `"${tag.trim()}"` : tag;
