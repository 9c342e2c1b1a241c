import type { Millis } from "../../domain/records.ts";

const TIMESTAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** The time of `YYYYMMDDTHHMMSSZ`; undefined: it is malformed. */
export function parseTimestamp(text: string): Millis | undefined {
  const time = Date.parse(text.replace(TIMESTAMP, "$1-$2-$3T$4:$5:$6Z"));
  return TIMESTAMP.test(text) && formatTimestamp(time) === text ? time : undefined;
}

/** `YYYYMMDDTHHMMSSZ`; empty if the time is invalid. */
export const formatTimestamp = (time: Millis): string =>
  Number.isNaN(time) ? "" : `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
