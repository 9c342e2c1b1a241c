import { Fault } from "./fault.ts";

/** Fault "unavailable": the catalog accepts no changes at all for the time being. Reads go on. */
export class ReadOnly extends Fault {
  constructor(message: string, cause: unknown) {
    super("unavailable", message, { cause, retryAfter: 5 });
    this.name = "ReadOnly";
  }
}
