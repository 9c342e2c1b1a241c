export interface HoldallErrorDetails {
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** Why a call failed. `message` is the server's own, written for people. */
export class HoldallError extends Error {
  override readonly name = "HoldallError";
  /** The HTTP status; 0 when no answer came: no connection, or no answer in time. */
  readonly status: number;
  /** Seconds after which another try makes sense, when the server said so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, { retryAfter, cause }: HoldallErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
