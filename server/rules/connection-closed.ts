import { Fault } from "./fault.ts";

/** The client has closed the connection before the end of the body. */
export class ConnectionClosed extends Fault {
  constructor(cause: unknown) {
    super("invalid", "The connection closed before the whole body was received.", { cause });
  }
}
