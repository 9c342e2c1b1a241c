import { Fault } from "../domain/faults/fault.ts";
import type { FileRecord } from "../domain/records.ts";
import {
  checkIfMatch,
  checkIfNoneMatch,
  checkIfUnmodifiedSince,
  isTagCondition,
} from "./conditions.ts";
import { etag, parseHttpDate } from "./etag.ts";

/** The conditions of a request that stores a file, as they were sent; null: not sent. */
export interface ChangeConditions {
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
  readonly ifUnmodifiedSince: string | null;
}

/**
 * undefined: the request has none. Fault "invalid": one is malformed. A read goes on without it, but a change that its
 * sender made conditional would replace what it should keep.
 */
export function readChangeConditions(headers: Headers): ChangeConditions | undefined {
  const ifMatch = headers.get("if-match");
  const ifNoneMatch = headers.get("if-none-match");
  const ifUnmodifiedSince = headers.get("if-unmodified-since");
  if (ifMatch === null && ifNoneMatch === null && ifUnmodifiedSince === null) return undefined;
  for (const [name, value] of Object.entries({
    "If-Match": ifMatch,
    "If-None-Match": ifNoneMatch,
  })) {
    if (value === null || isTagCondition(value)) continue;
    throw malformed(name, "`*`, or a list of ETags in double quotes");
  }
  if (ifUnmodifiedSince !== null && parseHttpDate(ifUnmodifiedSince) === undefined) {
    throw malformed("If-Unmodified-Since", "a date such as `Sat, 31 Jan 2026 09:30:00 GMT`");
  }
  return { ifMatch, ifNoneMatch, ifUnmodifiedSince };
}

const malformed = (name: string, expected: string): Fault =>
  new Fault("invalid", `\`${name}\` must be ${expected}. Nothing was stored.`);

/**
 * Fault "precondition_failed": a condition does not hold for the file that the change would replace (RFC 9110,
 * section 13.2.2). undefined: there is none.
 */
export function requireConditions(
  current: Pick<FileRecord, "size" | "modifiedAt"> | undefined,
  { ifMatch, ifNoneMatch, ifUnmodifiedSince }: ChangeConditions,
): void {
  if (current === undefined) {
    if (ifMatch !== null) throw notMet("There is no file with this key");
    return;
  }
  const tag = etag(current.size, current.modifiedAt);
  if (checkIfMatch(ifMatch, tag) === "false") throw notMet("The file has changed");
  const isOlder = checkIfUnmodifiedSince(ifUnmodifiedSince, current.modifiedAt);
  if (ifMatch === null && isOlder === "false") throw notMet("The file has changed");
  if (checkIfNoneMatch(ifNoneMatch, tag) === "false") throw notMet("There is a file already");
}

const notMet = (reason: string): Fault =>
  new Fault(
    "precondition_failed",
    `${reason}, so a condition of the request does not hold. Nothing was stored.`,
  );
