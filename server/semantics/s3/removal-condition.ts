import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Millis } from "../../domain/records.ts";
import { parseHttpDate, wholeSeconds } from "../etag.ts";
import { bareEtag } from "./object-etag.ts";

/** What a client gives to remove an object only if it has this; undefined: any. */
export interface RemovalConditionTexts {
  readonly etag: string | undefined;
  readonly size: string | undefined;
  readonly modifiedAt: string | undefined;
}

/**
 * The condition of a removal. `*` as the ETag is none, because an absent object meets every condition.
 * S3Fault "InvalidArgument": a size or a time that the server does not understand.
 */
export function readRemovalCondition({ etag, size, modifiedAt }: RemovalConditionTexts) {
  const condition = {
    ...(etag === undefined || etag.trim() === "*" ? {} : { etag: bareEtag(etag) }),
    ...(size === undefined ? {} : { size: parseSize(size) }),
    ...(modifiedAt === undefined ? {} : { modifiedAt: parseTime(modifiedAt) }),
  };
  return Object.keys(condition).length === 0 ? undefined : condition;
}

function parseSize(text: string): number {
  if (/^\d{1,15}$/.test(text.trim())) return Number(text);
  throw new S3Fault("InvalidArgument", "The expected size must be a whole number of bytes.");
}

/** Parses an HTTP date or an ISO 8601 time in UTC, in whole seconds. S3Fault "InvalidArgument". */
export function parseTime(text: string): Millis {
  const time = ISO.test(text.trim()) ? Date.parse(text) : parseHttpDate(text.trim());
  if (time !== undefined && !Number.isNaN(time)) return wholeSeconds(time);
  throw new S3Fault(
    "InvalidArgument",
    "The expected time must be a date such as `Wed, 01 Dec 2027 16:00:00 GMT` or `2027-12-01T16:00:00Z`.",
  );
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
