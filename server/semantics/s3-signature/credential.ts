import type { Millis } from "../../domain/records.ts";

/** The `Credential` of Signature Version 4, for the service S3. */
export interface Credential {
  readonly accessKeyId: string;
  /** `YYYYMMDD` */
  readonly date: string;
  readonly region: string;
}

const CREDENTIAL = /^([^/\s]{1,128})\/(\d{8})\/([\x20-\x2e\x30-\x7e]{1,255})\/s3\/aws4_request$/;

/**
 * undefined: it is not `KEY-ID/YYYYMMDD/REGION/s3/aws4_request`. Any region of printable ASCII is valid:
 * some clients name the host.
 */
export function parseCredential(text: string): Credential | undefined {
  const [, accessKeyId, date, region] = CREDENTIAL.exec(text) ?? [];
  if (accessKeyId === undefined || date === undefined || region === undefined) return undefined;
  return { accessKeyId, date, region };
}

/* The access key id of an API key is its id without dashes, as some tools only accept letters and digits. */

export const accessKeyIdOf = (keyId: string): string => keyId.replaceAll("-", "");

const ACCESS_KEY_ID =
  /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/;

/** The id of an API key, from its access key id with or without dashes; undefined: it is none. */
export function keyIdOf(accessKeyId: string): string | undefined {
  return ACCESS_KEY_ID.exec(accessKeyId)?.slice(1).join("-");
}

const TIMESTAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** The time of `YYYYMMDDTHHMMSSZ`; undefined: it is malformed. */
export function parseTimestamp(text: string): Millis | undefined {
  const time = Date.parse(text.replace(TIMESTAMP, "$1-$2-$3T$4:$5:$6Z"));
  return TIMESTAMP.test(text) && formatTimestamp(time) === text ? time : undefined;
}

/** `YYYYMMDDTHHMMSSZ`; empty if the time is invalid. */
export const formatTimestamp = (time: Millis): string =>
  Number.isNaN(time) ? "" : `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
