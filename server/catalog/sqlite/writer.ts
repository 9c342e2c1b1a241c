import type { Change } from "../changes/changes.ts";

/** Who makes the changes: a thread of its own in a server, the process itself in a command. */
export interface Writer {
  readonly change: Change;
  /** Finishes what was accepted and closes the connection. */
  close(): Promise<void>;
}
