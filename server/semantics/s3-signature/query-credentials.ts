import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { headerValue } from "../s3/header-text.ts";
import { isSafeHeader } from "../s3/object-metadata.ts";
import { bodyFormatOf, UNSIGNED_PAYLOAD } from "./body-format.ts";
import { parseCredential, parseTimestamp } from "./credential.ts";
import { MAX_SKEW_MS } from "./header-credentials.ts";
import type { RequestHead } from "./request-head.ts";
import { parseSignedHeaders, requireSignedAmzHeaders, signedTexts } from "./signed-headers.ts";
import { ALGORITHM } from "./signing.ts";
import { rejectSecurityToken, unsupportedVersion } from "./unsupported-signature.ts";
import type { SignedCredentials } from "./verify-signature.ts";

/** A week. */
const MAX_EXPIRES = 604_800;

/** The credentials in the query of a presigned URL. S3Fault: they are malformed, or of another version. */
export function queryCredentials(
  head: RequestHead,
  parameters: URLSearchParams,
): SignedCredentials {
  const one = (name: string): string => {
    const [value, ...others] = parameters.getAll(name);
    if (value !== undefined && others.length === 0) return value;
    throw malformed(
      `Query-string authentication version 4 requires the parameter ${name}, exactly once.`,
    );
  };
  if (parameters.has("AWSAccessKeyId")) throw unsupportedVersion();
  if (one("X-Amz-Algorithm") !== ALGORITHM) throw unsupportedVersion();
  rejectSecurityToken(parameters.get("X-Amz-Security-Token"));
  const credential = parseCredential(one("X-Amz-Credential"));
  if (credential === undefined) {
    throw malformed("X-Amz-Credential must be KEY-ID/YYYYMMDD/REGION/s3/aws4_request.");
  }
  const timestamp = one("X-Amz-Date");
  const time = parseTimestamp(timestamp);
  if (time === undefined) throw malformed("X-Amz-Date must be YYYYMMDDTHHMMSSZ.");
  if (!timestamp.startsWith(credential.date)) {
    throw malformed("The date in X-Amz-Credential is not that of X-Amz-Date.");
  }
  const expires = parseExpires(one("X-Amz-Expires"));
  const signedHeaders = parseSignedHeaders(one("X-Amz-SignedHeaders"));
  if (signedHeaders === undefined) {
    throw malformed(
      "X-Amz-SignedHeaders must be names in lower case, separated by `;`, with `host`.",
    );
  }
  const signature = one("X-Amz-Signature");
  if (!/^[0-9a-f]{64}$/.test(signature)) throw malformed("X-Amz-Signature must be 64 hex digits.");
  requireSignedAmzHeaders(head.headers, signedHeaders, ["x-amz-content-sha256"]);
  const scope = { ...credential, timestamp };
  const headers = presignedHeaders(head, parameters);
  const payload =
    parameters.get("X-Amz-Content-Sha256") ??
    head.headers.get("x-amz-content-sha256") ??
    UNSIGNED_PAYLOAD;
  return {
    kind: "query",
    accessKeyId: credential.accessKeyId,
    scope,
    signature,
    // The signed headers may be in the query alone.
    texts: signedTexts({ ...head, headers }, { scope, signedHeaders, payload }),
    headers,
    checkTime(now) {
      if (time > now + MAX_SKEW_MS) throw denied("Request is not valid yet", time);
      if (now >= time + expires * 1000) throw denied("Request has expired", time + expires * 1000);
    },
    body: (chunkSigner) => bodyFormatOf(payload, chunkSigner),
  };
}

const malformed = (why: string): S3Fault => new S3Fault("AuthorizationQueryParametersError", why);

const denied = (why: string, limit: number): S3Fault =>
  new S3Fault("AccessDenied", why, { fields: { Expires: new Date(limit).toISOString() } });

function parseExpires(text: string): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_EXPIRES) return seconds;
  throw new S3Fault(
    "AccessDenied",
    `X-Amz-Expires must be a whole number of seconds from 1 to ${MAX_EXPIRES} (a week).`,
  );
}

/** The parameters that are credentials themselves. */
const CREDENTIAL_FIELDS = new Set(
  "algorithm credential date expires signedheaders signature security-token content-sha256"
    .split(" ")
    .map((name) => `x-amz-${name}`),
);

/** Headers of an object, which some SDKs put into the query whether they sign them as headers or not. */
const OBJECT_HEADERS = new Set([
  ...["cache-control", "content-disposition", "content-encoding", "content-language"],
  ...["content-md5", "content-type"],
]);

/**
 * The headers of a request, with those that an SDK moved from the headers into the query when it signed
 * the URL. A header that is signed as one has the value of the header; another one that of the query.
 * S3Fault "InvalidArgument": a value cannot be that of a header.
 */
function presignedHeaders({ headers }: RequestHead, parameters: URLSearchParams): Headers {
  // Most have none, and copying them takes long.
  let all: Headers | undefined;
  const signed = new Set((parameters.get("X-Amz-SignedHeaders") ?? "").split(";"));
  for (const [parameter, value] of parameters) {
    const name = parameter.toLowerCase();
    const isAmz = /^x-amz-[a-z0-9_.-]+$/.test(name) && !CREDENTIAL_FIELDS.has(name);
    if (!isAmz && !OBJECT_HEADERS.has(name) && !signed.has(name)) continue;
    if (name === "host" || (headers.has(name) && (isAmz || signed.has(name)))) continue;
    if (!isSafeHeader(value)) {
      throw new S3Fault("InvalidArgument", `${name} must have no control characters.`);
    }
    all ??= new Headers(headers);
    all.set(name, headerValue(value));
  }
  return all ?? headers;
}
