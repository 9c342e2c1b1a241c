import type { ErrorObject } from "../../../contract/envelope.ts";
import type { ErrorCode } from "../../../contract/text/error-codes.ts";

export interface HoldallErrorOptions {
  readonly code?: ErrorCode | undefined;
  readonly details?: ErrorObject["details"];
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call. `message` is human-readable, and comes from the server if it responded. */
export class HoldallError extends Error {
  override readonly name = "HoldallError";
  /** The HTTP status; 0: no response, because of the connection or a timeout. */
  declare readonly status: number;
  /** The code of the failure, for programs. undefined: the response, if any, is not Holdall's. */
  declare readonly code: ErrorCode | undefined;
  /** Values that a program can use, such as `limit`, `name` or `field`. */
  declare readonly details: Readonly<NonNullable<ErrorObject["details"]>>;
  /** The id of the request, which the server's log has too. */
  declare readonly requestId: string | undefined;
  /** `Retry-After` in seconds, if the server sent it. */
  declare readonly retryAfter: number | undefined;

  constructor(status: number, message: string, options: HoldallErrorOptions = {}) {
    super(message, options);
    this.status = status;
    this.code = options.code;
    this.details = options.details ?? {};
    this.requestId = options.requestId;
    this.retryAfter = options.retryAfter;
  }
}

/** Whether it is a failed call with one of these statuses. */
export const isStatus = (error: unknown, ...statuses: number[]): error is HoldallError =>
  error instanceof HoldallError && statuses.includes(error.status);

/** Handles a failed call with one of these statuses, which results in undefined. */
export const unless =
  (...statuses: number[]) =>
  (error: unknown): undefined => {
    if (!isStatus(error, ...statuses)) throw error;
  };

/** Handles a failure of something else by throwing a `HoldallError`. */
export const failing =
  (message: string, status = 400) =>
  (cause: unknown): never => {
    throw new HoldallError(status, message, { cause });
  };

/** The error for a response that lacks the requested field. */
export const incomplete = (): HoldallError => new HoldallError(0, "The response is not complete.");
