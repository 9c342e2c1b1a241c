/**
 * Everything that can go wrong for a reason that the caller should hear. Thrown where the rule
 * breaks, translated from driver errors at the adapters, rendered to a status in one place (http).
 * Any other error is a bug: it is logged whole and answered "Unexpected server error".
 */
export type FaultKind =
  /** 400: the request breaks a rule of the contract. */
  | "invalid"
  /** 401 */
  | "unauthorized"
  /** 404: absent, or not for this caller to know of. */
  | "not_found"
  /** 409: the name is taken. */
  | "conflict"
  /** 412: the file is not the one that the request is about. */
  | "precondition_failed"
  /** 413 */
  | "too_large"
  /** 416 */
  | "range_not_satisfiable"
  /** 429 */
  | "rate_limited"
  /** 507 */
  | "no_space"
  /** 503: try again later; nothing was changed. */
  | "unavailable";

export interface FaultDetails {
  /** Whole seconds, for "rate_limited" and "unavailable". */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

export class Fault extends Error {
  readonly kind: FaultKind;
  readonly retryAfter: number | undefined;

  constructor(kind: FaultKind, message: string, details: FaultDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "Fault";
    this.kind = kind;
    this.retryAfter = details.retryAfter;
  }
}
