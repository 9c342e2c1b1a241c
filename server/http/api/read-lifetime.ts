import { moment } from "../../../contract/moment.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { LAST_MOMENT, type Lifetime } from "../../domain/lifetime.ts";
import type { Millis } from "../../domain/records.ts";

/** What a request says of the lifetime of files. null: they do not end; undefined: it says nothing. */
export interface GivenLifetime {
  /** Seconds, more than 0. */
  readonly expiresIn?: number | null | undefined;
  readonly expiresAt?: Millis | null | undefined;
}

/** The names of the two fields in the request. */
const FILE_FIELDS = ["expiresIn", "expiresAt"] as const;
/** Where those names are of the upload or the link itself. */
export const LATER_FILE_FIELDS = ["fileExpiresIn", "fileExpiresAt"] as const;

type FieldNames = typeof FILE_FIELDS | typeof LATER_FILE_FIELDS;

/** Fault "invalid": both are given, or the time is past, or after the year 9999. */
export function readLifetime(
  { expiresIn, expiresAt }: GivenLifetime,
  now: Millis,
  [inField, atField]: FieldNames = FILE_FIELDS,
): Lifetime | undefined {
  if (expiresIn !== undefined && expiresAt !== undefined) {
    throw invalid(`Give either \`${inField}\` or \`${atField}\`, not both.`);
  }
  if (expiresIn === null || expiresAt === null) return "never";
  if (expiresIn !== undefined) {
    const seconds = Math.max(1, Math.floor(expiresIn));
    if (now + seconds * 1000 > LAST_MOMENT) throw invalid(`\`${inField}\` ${TOO_LATE}`);
    return `in ${seconds}`;
  }
  if (expiresAt === undefined) return undefined;
  if (expiresAt <= now) {
    throw invalid(`\`${atField}\` must be in the future. Delete a file to end it now.`);
  }
  if (expiresAt > LAST_MOMENT) throw invalid(`\`${atField}\` ${TOO_LATE}`);
  return `at ${expiresAt}`;
}

const TOO_LATE = "must not lead beyond the year 9999.";

/** The fields as a form, a query or `Upload-Metadata` has them. `never`: the files do not end. */
export interface LifetimeTexts {
  readonly expiresIn?: string | undefined;
  readonly expiresAt?: string | undefined;
}

/** Fault "invalid": one is neither `never` nor a number of seconds or a time. */
export function parseLifetimeTexts({ expiresIn, expiresAt }: LifetimeTexts): GivenLifetime {
  return {
    ...(expiresIn === undefined ? {} : { expiresIn: parseSeconds(expiresIn) }),
    ...(expiresAt === undefined ? {} : { expiresAt: parseTime(expiresAt) }),
  };
}

function parseSeconds(text: string): number | null {
  if (text === "never") return null;
  const seconds = /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return seconds;
  throw invalid("`expiresIn` must be a number of seconds greater than 0, or `never`.");
}

function parseTime(text: string): Millis | null {
  if (text === "never") return null;
  const { success, data } = moment.safeParse(text);
  if (success) return data;
  throw invalid(
    "`expiresAt` must be a time such as `2026-01-31 09:30:00` or `2026-01-31T09:30:00Z`, or `never`.",
  );
}

const invalid = (message: string): Fault =>
  new Fault("invalid", message, { code: "invalid_lifetime" });
