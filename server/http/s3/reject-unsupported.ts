import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { meansDryRun } from "../connection/reject-headers.ts";
import { withoutLock } from "./handlers/object-lock.ts";
import { isRead } from "./s3-target.ts";

/**
 * Headers that change nothing that the server does: they prove or describe the request, are checked for
 * every operation, or ask for what the server does anyway.
 */
const HARMLESS = new Set([
  // The signature and the framing of the body, which are verified before.
  ...["x-amz-date", "x-amz-content-sha256", "x-amz-security-token", "x-amz-algorithm"],
  ...["x-amz-credential", "x-amz-signature", "x-amz-decoded-content-length", "x-amz-trailer"],
  ...["x-amz-te", "x-amz-sdk-checksum-algorithm"],
  // The owner of the buckets is checked before.
  ...["x-amz-expected-bucket-owner", "x-amz-source-expected-bucket-owner"],
  // About the client.
  ...["x-amz-user-agent", "x-amz-api-version"],
  // Nobody pays, nothing is locked, and everything belongs to one account.
  ...["x-amz-request-payer", "x-amz-mfa", "x-amz-bypass-governance-retention"],
  "x-amz-optional-object-attributes",
  // Operations that store objects evaluate it.
  "x-amz-storage-class",
  // Copies evaluate them. Without a source, a client such as s3fs only says that it sends all metadata.
  ...["x-amz-metadata-directive", "x-amz-tagging-directive"],
]);

/** No value of a condition turns it off. */
const CONDITION = /^(?:x-(?:amz|goog)-(?:[a-z-]+-)?)?if-/;

/** Checksums are compared with every body. User metadata means something only where an object is made. */
const HARMLESS_PREFIXES = ["x-amz-checksum-", "x-amz-meta-"];

/**
 * S3Fault "NotImplemented": a header `x-amz-…` or `if-…` asks for what neither the operation nor the
 * server evaluates, or for a dry run; "InvalidRequest": it locks an object. `evaluated` are the headers that the operation evaluates. The value `false` turns a
 * feature off.
 */
export function rejectUnsupportedHeaders(
  headers: Headers,
  method: string,
  evaluated: readonly string[],
): void {
  for (const [name, value] of headers) {
    if (!isRead(method)) rejectDryRun(name, value);
    const isCondition = CONDITION.test(name);
    if (!isCondition && !name.startsWith("x-amz-")) continue;
    // A read without validators ignores the conditions of HTTP (RFC 9110, section 13.2.1).
    if (name.startsWith("if-") && isRead(method)) continue;
    if (HARMLESS.has(name) || evaluated.includes(name)) continue;
    if (HARMLESS_PREFIXES.some((prefix) => name.startsWith(prefix))) continue;
    if (!isCondition && value.toLowerCase() === "false") continue;
    if (name.startsWith("x-amz-object-lock-")) throw withoutLock();
    throw new S3Fault("NotImplemented", `The server does not support ${name} here.`);
  }
}

/** S3Fault "NotImplemented": a header or field of a request that may change something asks for a dry run. */
export function rejectDryRun(name: string, value: string): void {
  if (!meansDryRun(name) || value.toLowerCase() === "false") return;
  throw new S3Fault("NotImplemented", "S3 has no dry runs. Nothing was changed.");
}

/** What a URL that is presigned with Signature Version 2 has in its query. */
const CREDENTIALS_V2 = new Set(["AWSAccessKeyId", "Expires", "Signature"]);

/**
 * S3Fault "NotImplemented": a request that may change something has a parameter that neither names the
 * operation nor is one of `parameters`. Parameters `x-…` are left to the client, as in S3, and a
 * presigned URL carries headers.
 */
export function rejectUnsupportedParameters(
  { method, headers, names }: UnsupportedRequest,
  parameters: readonly string[],
): void {
  if (isRead(method)) return;
  const isV2 = names.includes("AWSAccessKeyId");
  const isPresigned = isV2 || names.includes("X-Amz-Signature");
  for (const name of names) {
    const lower = name.toLowerCase();
    if (isV2 && CREDENTIALS_V2.has(name)) continue;
    if (parameters.includes(name) || (isPresigned && headers.has(lower))) continue;
    const isOwn = lower.startsWith("x-") && !meansDryRun(name);
    if (isOwn && (isPresigned || !lower.startsWith("x-amz-"))) continue;
    throw new S3Fault("NotImplemented", `The server does not support ${method} ?${name}.`);
  }
}

export interface UnsupportedRequest {
  readonly method: string;
  readonly headers: Headers;
  /** The names of the parameters in the query. */
  readonly names: readonly string[];
}
