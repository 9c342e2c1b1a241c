export interface HoldallErrorDetails {
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call. `message` is human-readable, and comes from the server if it responded. */
export class HoldallError extends Error {
  override readonly name = "HoldallError";
  /** The HTTP status; 0: no response, because of the connection or a timeout. */
  readonly status: number;
  /** `Retry-After` in seconds, if the server sent it. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, { retryAfter, cause }: HoldallErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
