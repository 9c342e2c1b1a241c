import { Fault } from "../../domain/faults/fault.ts";

/** A non-2xx response from S3, or no response. */
export class S3Error extends Error {
  override readonly name = "S3Error";
  /** 0: there was no response. */
  readonly status: number;
  /** S3's error code, such as `NoSuchKey`; empty: none. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Whether the store says that the object or the multipart upload does not exist. A 404 without this code
 * proves nothing: a proxy sends one while it finds no store behind it.
 */
export const isAbsent = (error: unknown): boolean =>
  error instanceof S3Error && error.status === 404 && ABSENT.has(error.code);

/** For `catch`: undefined when the object does not exist; rethrows other errors. */
export function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

const ABSENT = new Set(["NoSuchKey", "NoSuchUpload"]);

/**
 * Whether the store refuses requests for now, or this client, or a proxy does: that says nothing about an object. A 404
 * is one of a proxy unless `isAbsent`.
 */
export const isRefusal = (error: S3Error): boolean =>
  (REFUSALS.has(error.status) && !isAbsent(error)) || error.code === "SlowDown";

const REFUSALS = new Set([401, 403, 404, 407, 408, 421, 425, 429, 502, 503, 504]);

/** Whether the same request may succeed a moment later. */
export function isRetryable({ status, code }: S3Error): boolean {
  if (code === "NotImplemented" || FULL.has(code)) return false;
  return [0, 408, 425, 429].includes(status) || status >= 500 || RETRYABLE.has(code);
}

const RETRYABLE = new Set(["RequestTimeout", "SlowDown", "OperationAborted"]);
const FULL = new Set([
  "QuotaExceeded",
  "XMinioStorageFull",
  "XMinioAdminBucketQuotaExceeded",
  "InsufficientCapacity",
]);

/** Translates an S3Error into a Fault. Returns other errors unchanged. */
export function s3Fault(error: unknown): unknown {
  if (!(error instanceof S3Error)) return error;
  if (FULL.has(error.code) || error.status === 507) {
    return new Fault("no_space", "There is not enough free space to store this.", { cause: error });
  }
  return new Fault(
    "unavailable",
    "The storage backend is not responding correctly. Try again shortly.",
    {
      cause: error,
      retryAfter: 5,
    },
  );
}
