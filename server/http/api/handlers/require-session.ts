import type { Caller } from "../../../access/authenticate.ts";
import { Fault } from "../../../domain/fault.ts";

/** The gate admits only callers with a session to operations on the account. */
export function requireSession(caller: Caller | undefined) {
  if (caller?.kind !== "session") throw new Fault("unauthorized", "Unauthorized");
  return caller;
}
