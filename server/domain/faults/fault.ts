import type { ErrorCode } from "../../../contract/text/error-codes.ts";

/**
 * The kinds of errors that are reported to the client. Rules throw them, adapters translate driver
 * errors into them, and `http` maps them to a status. Any other error is a bug: it is logged in full,
 * and the response is "Unexpected server error".
 */
export type FaultKind =
  /** 400: the request breaks a rule of the contract. */
  | "invalid"
  /** 401 */
  | "unauthorized"
  /** 403: the API key lacks a right, on what it may know of. */
  | "forbidden"
  /** 404: absent, or hidden from this caller. */
  | "not_found"
  /** 408: the body arrives too slowly. */
  | "too_slow"
  /** 409: the name is taken, or the state is another one. */
  | "conflict"
  /** 410: it existed, and will not come back. */
  | "gone"
  /** 412: the file has changed since the client last saw it. */
  | "precondition_failed"
  /** 413 */
  | "too_large"
  /** 415 */
  | "unsupported_media_type"
  /** 416 */
  | "range_not_satisfiable"
  /** 422: it cannot be done as things are, and trying again does not help. */
  | "unprocessable"
  /** 423: another request works on it. */
  | "locked"
  /** 429 */
  | "rate_limited"
  /** 507 */
  | "no_space"
  /** 507: the folder has a quota. */
  | "quota_exceeded"
  /** 460, as in tus: the bytes do not have their checksum. */
  | "checksum_mismatch"
  /** 503: try again later; nothing was changed. */
  | "unavailable";

export interface FaultOptions {
  /** Default: the general code of the kind. */
  readonly code?: ErrorCode | undefined;
  /** What a program can use: limits, fields, names. */
  readonly details?: Details | undefined;
  /** Whole seconds, for "rate_limited", "locked" and "unavailable". */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** Plain values of `error.details`. */
export type Details = Readonly<Record<string, string | number | readonly string[]>>;

export class Fault extends Error {
  readonly kind: FaultKind;
  readonly code: ErrorCode;
  readonly details: Details | undefined;
  readonly retryAfter: number | undefined;

  constructor(kind: FaultKind, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Fault";
    this.kind = kind;
    this.code = options.code ?? (kind === "invalid" ? "invalid_request" : kind);
    this.retryAfter = options.retryAfter;
    this.details = options.details;
  }
}

/**
 * Acknowledged bytes of an unfinished upload are lost: the store says that they are absent, or they are
 * others than those that arrived. Never thrown because a read failed: then nothing is known.
 */
export class LostBytes extends Fault {
  constructor(message: string, cause?: unknown) {
    super("gone", message, { cause });
  }
}

/** Fault "unavailable": the catalog accepts no changes at all for the time being. Reads go on. */
export class ReadOnly extends Fault {
  constructor(message: string, cause: unknown) {
    super("unavailable", message, { cause, retryAfter: 5 });
    this.name = "ReadOnly";
  }
}

/** The same request is running, or has just ended, so that repeating it gets what it has stored. */
export const requestRunning = (): Fault =>
  new Fault("conflict", "A request with this `Idempotency-Key` is running. Try again later.", {
    code: "request_running",
    retryAfter: 1,
    details: { retryAfter: 1 },
  });

/** For `catch`: returns undefined for the fault "not_found", and throws every other error again. */
export function ignoreMissing(error: unknown): undefined {
  if (error instanceof Fault && error.kind === "not_found") return undefined;
  throw error;
}
