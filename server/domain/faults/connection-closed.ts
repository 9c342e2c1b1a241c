import { Fault } from "./fault.ts";

/** The client has closed the connection before its request was done: nothing was refused, and nothing has changed. */
export class ConnectionClosed extends Fault {
  constructor(message: string, cause?: unknown) {
    super("invalid", message, { cause });
  }
}

/** Before the end of the body. */
export const bodyCut = (cause: unknown): ConnectionClosed =>
  new ConnectionClosed("The connection closed before the whole body was received.", cause);
