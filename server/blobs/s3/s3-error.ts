import { Fault } from "../../rules/fault.ts";

/** What S3 answered in place of what was asked for, or that it did not answer. */
export class S3Error extends Error {
  override readonly name = "S3Error";
  /** 0: there was no answer. */
  readonly status: number;
  /** S3's own name of what is wrong, such as `NoSuchKey`; empty when it gave none. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const isAbsent = (error: unknown): boolean =>
  error instanceof S3Error && error.status === 404 && error.code !== "NoSuchBucket";

/** For what may be absent: undefined when it is. */
export function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

/** Whether the same request may fare better a moment later. */
export function isPassing({ status, code }: S3Error): boolean {
  if (code === "NotImplemented" || FULL.has(code)) return false;
  return [0, 408, 425, 429].includes(status) || status >= 500 || PASSING.has(code);
}

const PASSING = new Set(["RequestTimeout", "SlowDown", "OperationAborted"]);
const FULL = new Set([
  "QuotaExceeded",
  "XMinioStorageFull",
  "XMinioAdminBucketQuotaExceeded",
  "InsufficientCapacity",
]);

/** What to throw to whoever uses the store; anything that is not S3's as it is. */
export function s3Fault(error: unknown): unknown {
  if (!(error instanceof S3Error)) return error;
  if (FULL.has(error.code) || error.status === 507) {
    return new Fault("no_space", "There is not enough free space to store this.", { cause: error });
  }
  return new Fault("unavailable", "The storage does not answer as it should. Try again shortly.", {
    cause: error,
    retryAfter: 5,
  });
}
