import type { ChangeInputs, ChangeName, ChangeResults } from "../changes/changes.ts";

/** Who makes the changes: a thread of its own in a server, the process itself in a command. */
export interface Writer {
  change<N extends ChangeName>(name: N, input: ChangeInputs[N]): Promise<ChangeResults[N]>;
  /** Finishes what was accepted and closes the connection. */
  close(): Promise<void>;
}
