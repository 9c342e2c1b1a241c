import { Fault } from "../../domain/faults/fault.ts";
import { type S3ErrorCode, S3Fault } from "../../domain/faults/s3-fault.ts";
import type { HeaderFields } from "../connection/reply.ts";
import { writeXml, type XmlFields } from "./xml/write-xml.ts";

/** 200 with an XML document. */
export function xmlResponse(root: string, fields: XmlFields, headers?: HeaderFields): Response {
  return new Response(writeXml(root, fields), {
    headers: { ...headers, "Content-Type": "application/xml" },
  });
}

/** Checksums as elements of a document: `ChecksumCRC32` and so on. */
export const checksumElements = (
  checksums: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(checksums).map(([name, value]) => [`Checksum${name}`, value]));

export const emptyResponse = (status: number, headers?: HeaderFields): Response =>
  new Response(null, headers === undefined ? { status } : { status, headers });

/** The S3 error that a fault of a service means. The request says which of several codes is meant. */
export function s3FaultOf(fault: Fault): S3Fault {
  if (fault instanceof S3Fault) return fault;
  const { kind, message, details, retryAfter } = fault;
  const fields =
    kind === "too_large" && details?.limit !== undefined
      ? { MaxSizeAllowed: String(details.limit) }
      : undefined;
  return new S3Fault(CODES[kind], message, {
    cause: fault,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(fields && { fields }),
  });
}

const CODES: Readonly<Record<Fault["kind"], S3ErrorCode>> = {
  invalid: "InvalidArgument",
  unauthorized: "AccessDenied",
  forbidden: "AccessDenied",
  not_found: "NoSuchKey",
  too_slow: "RequestTimeout",
  conflict: "OperationAborted",
  gone: "NoSuchKey",
  precondition_failed: "PreconditionFailed",
  too_large: "EntityTooLarge",
  unsupported_media_type: "InvalidArgument",
  range_not_satisfiable: "InvalidRange",
  unprocessable: "InvalidRequest",
  locked: "OperationAborted",
  rate_limited: "SlowDown",
  checksum_mismatch: "BadDigest",
  unavailable: "ServiceUnavailable",
  no_space: "InsufficientStorage",
  // SDKs would repeat a 5xx.
  quota_exceeded: "QuotaExceeded",
};

export interface ErrorContext {
  readonly requestId: string;
  /** The decoded path, which the document repeats. */
  readonly resource: string;
  readonly isHead: boolean;
}

/** The error document. A response to HEAD has no body, so it has only the status. */
export function errorResponse(fault: S3Fault, context: ErrorContext): Response {
  const { status, s3Code: code, retryAfter } = fault;
  const headers: Record<string, string> = { "Content-Type": "application/xml" };
  if (retryAfter !== undefined) headers["Retry-After"] = String(retryAfter);
  if (context.isHead) return new Response(null, { status, headers });
  const fields = {
    Code: code,
    Message: fault.message,
    ...fault.fields,
    Resource: context.resource,
    RequestId: context.requestId,
  };
  return new Response(writeXml("Error", fields, ""), { status, headers });
}

/** The S3 error of an error; undefined: it is a bug. */
export const s3FaultFrom = (error: unknown): S3Fault | undefined =>
  error instanceof Fault ? s3FaultOf(error) : undefined;

/** The body of `InternalError`: the log has the details. */
export const internalError = (): S3Fault =>
  new S3Fault("InternalError", "Unexpected server error. Try again.");
