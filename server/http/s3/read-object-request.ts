import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { headerValue } from "../../semantics/s3/header-text.ts";
import { isSafeHeader } from "../../semantics/s3/object-metadata.ts";
import type { ObjectRequest } from "../../semantics/s3/plan-object.ts";
import type { S3Query } from "./s3-query.ts";

/**
 * What a GET or HEAD of an object asks for. S3Faults "InvalidArgument"; "InvalidRequest": a `response-…`
 * parameter in a request that is not signed.
 */
export function readObjectRequest(
  headers: Headers,
  query: S3Query,
  { isSigned }: { readonly isSigned: boolean },
): ObjectRequest {
  const partNumber = query.number("partNumber", 10_001);
  if (partNumber === 0 || (partNumber ?? 0) > 10_000) {
    throw new S3Fault("InvalidArgument", "partNumber must be a number from 1 to 10000.");
  }
  return {
    range: headers.get("range"),
    ifRange: headers.get("if-range"),
    ifMatch: headers.get("if-match"),
    ifUnmodifiedSince: headers.get("if-unmodified-since"),
    ifNoneMatch: headers.get("if-none-match"),
    ifModifiedSince: headers.get("if-modified-since"),
    partNumber,
    checksums: headers.get("x-amz-checksum-mode")?.toUpperCase() === "ENABLED",
    countsTags: isSigned,
    overrides: readOverrides(query, isSigned),
  };
}

const OVERRIDES = [
  ...["cache-control", "content-disposition", "content-encoding", "content-language"],
  ...["content-type", "expires"],
];

/** `response-…` parameters. S3Fault "InvalidRequest": the request is anonymous. */
function readOverrides(query: S3Query, isSigned: boolean): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const header of OVERRIDES) {
    const value = query.get(`response-${header}`);
    if (value === undefined) continue;
    if (!isSigned) {
      throw new S3Fault("InvalidRequest", "Only signed requests may have `response-…` parameters.");
    }
    if (!isSafeHeader(value)) {
      throw new S3Fault("InvalidArgument", `response-${header} must have no control characters.`);
    }
    overrides[header] = headerValue(value);
  }
  return overrides;
}
