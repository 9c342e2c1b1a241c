import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Millis } from "../../domain/records.ts";
import { bodyFormatOf } from "./body-format.ts";
import { formatTimestamp, parseCredential, parseTimestamp } from "./credential.ts";
import type { RequestHead } from "./request-head.ts";
import { parseSignedHeaders, requireSignedAmzHeaders, signedTexts } from "./signed-headers.ts";
import { ALGORITHM } from "./signing.ts";
import { rejectSecurityToken, unsupportedVersion } from "./unsupported-signature.ts";
import type { SignedCredentials } from "./verify-signature.ts";

/** How far the clock of a client may be off. */
export const MAX_SKEW_MS = 15 * 60 * 1000;

/** The credentials in an Authorization header. S3Fault: they are malformed, or of another version. */
export function headerCredentials(head: RequestHead, authorization: string): SignedCredentials {
  const { headers } = head;
  if (!authorization.startsWith(`${ALGORITHM} `)) throw unsupportedVersion();
  rejectSecurityToken(headers.get("x-amz-security-token"));
  const { credential, signedHeaders, signature } = parseAuthorization(authorization);
  const { time, timestamp } = readTime(headers);
  if (!timestamp.startsWith(credential.date)) {
    throw malformed("The date in its Credential is not that of the request.");
  }
  requireSignedAmzHeaders(headers, signedHeaders, ["x-amz-content-sha256", "x-amz-date"]);
  const payload = headers.get("x-amz-content-sha256");
  if (payload === null) {
    throw new S3Fault(
      "InvalidRequest",
      "Missing required header for this request: x-amz-content-sha256",
    );
  }
  const scope = { ...credential, timestamp };
  return {
    kind: "header",
    accessKeyId: credential.accessKeyId,
    scope,
    signature,
    texts: signedTexts(head, { scope, signedHeaders, payload }),
    checkTime: (now) => checkSkew(time, now),
    body: (chunkSigner) => bodyFormatOf(payload, chunkSigner),
  };
}

function parseAuthorization(authorization: string) {
  const parts = new Map<string, string>();
  // A region may have commas and spaces.
  for (const part of authorization.slice(ALGORITHM.length).split(/,(?=\s*\w+=)/)) {
    const [, name = "", value = ""] = /^\s*(\w+)=(.*?)\s*$/.exec(part) ?? [];
    if (parts.has(name)) throw malformed(`${name} appears twice.`);
    parts.set(name, value);
  }
  const credential = parseCredential(parts.get("Credential") ?? "");
  if (credential === undefined) {
    throw malformed("Its Credential must be KEY-ID/YYYYMMDD/REGION/s3/aws4_request.");
  }
  const signedHeaders = parseSignedHeaders(parts.get("SignedHeaders") ?? "");
  if (signedHeaders === undefined) {
    throw malformed(
      "Its SignedHeaders must be names in lower case, separated by `;`, with `host`.",
    );
  }
  const signature = parts.get("Signature") ?? "";
  if (parts.size !== 3 || !SIGNATURE.test(signature)) {
    throw malformed("It must consist of Credential, SignedHeaders and Signature (64 hex digits).");
  }
  return { credential, signedHeaders, signature };
}

const SIGNATURE = /^[0-9a-f]{64}$/;

const malformed = (why: string): S3Fault =>
  new S3Fault("AuthorizationHeaderMalformed", `The authorization header is malformed. ${why}`);

/** From `x-amz-date`, or else from `Date`. */
function readTime(headers: Headers): { readonly time: Millis; readonly timestamp: string } {
  const amzDate = headers.get("x-amz-date");
  const time =
    amzDate === null ? Date.parse(headers.get("date") ?? "") : (parseTimestamp(amzDate) ?? NaN);
  if (!Number.isNaN(time)) return { time, timestamp: formatTimestamp(time) };
  throw new S3Fault(
    "AccessDenied",
    "AWS authentication requires a valid Date or x-amz-date header (YYYYMMDDTHHMMSSZ).",
  );
}

/** S3Fault "RequestTimeTooSkewed". */
export function checkSkew(time: Millis, now: Millis): void {
  if (Math.abs(now - time) <= MAX_SKEW_MS) return;
  throw new S3Fault(
    "RequestTimeTooSkewed",
    "The difference between the request time and the server's time is too large. Set the clock of the client.",
    {
      fields: {
        RequestTime: formatTimestamp(time),
        ServerTime: new Date(now).toISOString(),
        MaxAllowedSkewMilliseconds: String(MAX_SKEW_MS),
      },
    },
  );
}
