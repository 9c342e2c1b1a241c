/**
 * Why an outgoing request has no response, or not a whole one:
 *
 * - "refused": the URL or the address is not one that the server may connect to;
 * - "unresolved": the host has no address;
 * - "unreachable": no connection, or a certificate that is not valid for the host;
 * - "too slow": a limit of time has passed;
 * - "broken": the response is malformed, too long, or ended early.
 */
export type FailureKind = "refused" | "unresolved" | "unreachable" | "too slow" | "broken";

/** The message is for people, and says nothing of the addresses behind a host. */
export class OutgoingFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
