import type { ErrorCode } from "../../../contract/text/error-codes.ts";
import { DryRun } from "../dry-run.ts";
import { type Details, Fault, type FaultKind } from "./fault.ts";

/** A serialized fault or error. */
export interface Failure {
  readonly kind: FaultKind | null;
  readonly code: ErrorCode | undefined;
  readonly details: Details | undefined;
  readonly message: string;
  readonly retryAfter: number | null;
  readonly stack: string;
  /** The report and the result of a `DryRun`. */
  readonly tried: Pick<DryRun, "report" | "result"> | undefined;
}

export function toFailure(cause: unknown): Failure {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const fault = error instanceof Fault ? error : undefined;
  return {
    kind: fault?.kind ?? null,
    code: fault?.code,
    details: fault?.details,
    message: error.message,
    retryAfter: fault?.retryAfter ?? null,
    stack: error.stack ?? "",
    tried: error instanceof DryRun ? { report: error.report, result: error.result } : undefined,
  };
}

export function fromFailure({ kind, message, retryAfter, stack, tried, ...more }: Failure): Error {
  if (tried !== undefined) return new DryRun(tried.report, tried.result);
  const error =
    kind === null
      ? new Error(message)
      : new Fault(kind, message, { ...more, ...(retryAfter === null ? {} : { retryAfter }) });
  // The original stack is more useful than this one.
  error.stack = stack;
  return error;
}
