import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Millis } from "../../domain/records.ts";
import { headerText, headerValue } from "../s3/header-text.ts";
import { isSafeHeader } from "../s3/object-metadata.ts";
import { type BodyFormat, bodyFormatOf, UNSIGNED_BODY } from "./body-format.ts";
import { parseTimestamp } from "./credential.ts";
import { checkSkew } from "./header-credentials.ts";
import type { RequestHead } from "./request-head.ts";
import { SUBRESOURCES } from "./subresources.ts";
import { rejectSecurityToken } from "./unsupported-signature.ts";
import type { SignedCredentials } from "./verify-signature.ts";

/*
 * AWS Signature Version 2: older SDKs presign with it by default. It covers the method, the path, the
 * parameters that choose the operation, the type and MD5 of the body, and all headers `x-amz-…`, but not the
 * host. So the resource that is signed is taken from where the request is routed to.
 */

/** The parameters of the query that are signed, besides `response-…`. */
const SIGNED_PARAMETERS = new Set([...SUBRESOURCES, "partNumber", "versionId", "storageClass"]);

/** One that no secret makes is a wrong one, as in S3: a URL that was cut off, for instance. */
const SIGNATURE = /^[^\s:]{1,128}$/;
const ACCESS_KEY_ID = /^[^/:\s]{1,128}$/;

/** The credentials in `Authorization: AWS KEY-ID:SIGNATURE`. S3Fault: they are malformed. */
export function headerCredentialsV2(head: RequestHead, authorization: string): SignedCredentials {
  const { headers } = head;
  rejectSecurityToken(headers.get("x-amz-security-token"));
  const [, accessKeyId = "", signature = ""] = /^AWS ([^:]*):(.*)$/.exec(authorization) ?? [];
  if (!ACCESS_KEY_ID.test(accessKeyId) || !SIGNATURE.test(signature)) {
    throw new S3Fault("InvalidArgument", "The authorization header must be AWS KEY-ID:SIGNATURE.");
  }
  const amzDate = headers.get("x-amz-date");
  const time = parseTime(amzDate ?? headers.get("date") ?? "");
  if (Number.isNaN(time)) {
    throw new S3Fault(
      "AccessDenied",
      "AWS authentication requires a valid Date or x-amz-date header.",
    );
  }
  return {
    kind: "header",
    accessKeyId,
    scope: null,
    signature,
    texts: signedTextsV2(head, headers, amzDate === null ? (headers.get("date") ?? "") : ""),
    checkTime: (now) => checkSkew(time, now),
    body: () => bodyOfHeaders(headers),
  };
}

/** The credentials in the query of a presigned URL. S3Fault: they are malformed. */
export function queryCredentialsV2(
  head: RequestHead,
  parameters: URLSearchParams,
): SignedCredentials {
  const one = (name: string): string => {
    const [value, ...others] = parameters.getAll(name);
    if (value !== undefined && others.length === 0) return value;
    throw denied(`Query-string authentication requires the parameter ${name}, exactly once.`);
  };
  const accessKeyId = one("AWSAccessKeyId");
  const signature = one("Signature");
  const expires = one("Expires");
  if (!ACCESS_KEY_ID.test(accessKeyId) || !SIGNATURE.test(signature)) {
    throw denied("AWSAccessKeyId must be an access key and Signature a signature.");
  }
  if (!/^\d{1,12}$/.test(expires)) {
    throw denied(`Invalid date (should be seconds since epoch): ${expires.slice(0, 32)}`);
  }
  const headers = presignedHeadersV2(head, parameters);
  rejectSecurityToken(headers.get("x-amz-security-token"));
  const end = Number(expires) * 1000;
  return {
    kind: "query",
    accessKeyId,
    scope: null,
    signature,
    texts: signedTextsV2(head, headers, expires),
    headers,
    checkTime(now) {
      if (now < end) return;
      throw denied("Request has expired", { Expires: isoTime(end) });
    },
    body: () => bodyOfHeaders(headers),
  };
}

/**
 * The headers of a request, with those `x-amz-…`, the type and the MD5 that an SDK moved into the query when
 * it signed the URL. All of them are in the string to sign, so the user of the URL can add none.
 */
function presignedHeadersV2({ headers }: RequestHead, parameters: URLSearchParams): Headers {
  const all = new Headers(headers);
  for (const [parameter, value] of parameters) {
    const name = parameter.toLowerCase();
    const isAmz = /^x-amz-[a-z0-9_.-]+$/.test(name);
    if ((!isAmz && name !== "content-type" && name !== "content-md5") || headers.has(name)) {
      continue;
    }
    if (!isSafeHeader(value)) {
      throw new S3Fault("InvalidArgument", `${name} must have no control characters.`);
    }
    all.set(name, headerValue(value));
  }
  return all;
}

/**
 * The strings to sign. SDKs write a parameter without a value with and without `=`, and boto a bucket with a
 * slash after it.
 */
function signedTextsV2(head: RequestHead, headers: Headers, date: string): string[] {
  const amz = Array.from(headers)
    .filter(([name]) => name.startsWith("x-amz-"))
    // By their names alone: with the colon, `x-amz-meta-a-b` would come before `x-amz-meta-a`.
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}:${headerText(value).trim().replace(/\s+/g, " ")}\n`);
  const bucket = head.hostBucket === undefined ? "" : `/${head.hostBucket}`;
  const start = [
    head.method,
    headers.get("content-md5") ?? "",
    headers.get("content-type") ?? "",
    date,
    `${amz.join("")}${bucket}${head.path}`,
  ].join("\n");
  const isBucket = bucket === "" && /^\/[^/]+$/.test(head.path);
  const resources = (isBucket ? ["", "/"] : [""]).flatMap((end) =>
    (["", "="] as const).map((afterEmpty) => end + signedParameters(head.query, afterEmpty)),
  );
  return [...new Set(resources)].map((resource) => start + resource);
}

function signedParameters(query: string, afterEmpty: "" | "="): string {
  const signed = query.split("&").flatMap((parameter): [string, string][] => {
    const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(parameter) ?? [];
    const decoded = decode(name);
    const isSigned = SIGNED_PARAMETERS.has(decoded) || decoded.startsWith("response-");
    return isSigned ? [[decoded, decode(value)]] : [];
  });
  if (signed.length === 0) return "";
  const texts = signed
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([name, value]) => `${name}${value === "" ? afterEmpty : `=${value}`}`);
  return `?${texts.join("&")}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** A hash in the headers must be that of the body, although this version does not ask for one. */
function bodyOfHeaders(headers: Headers): BodyFormat {
  const payload = headers.get("x-amz-content-sha256");
  if (payload === null) return UNSIGNED_BODY;
  return bodyFormatOf(payload, () => {
    throw new S3Fault("InvalidRequest", "Signature Version 2 does not sign the chunks of a body.");
  });
}

const parseTime = (text: string): Millis => parseTimestamp(text) ?? Date.parse(text);

/** Empty for a time beyond the calendar. */
function isoTime(time: Millis): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

const denied = (why: string, fields: Readonly<Record<string, string>> = {}): S3Fault =>
  new S3Fault("AccessDenied", why, { fields });
