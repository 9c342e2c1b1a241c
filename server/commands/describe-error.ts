import { Fault } from "../domain/faults/fault.ts";

/**
 * Returns the error's message for whoever runs the command. A fault's message is for clients, so its cause is added: it
 * may name the path of a file.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const more = error instanceof Fault && error.cause instanceof Error ? error.cause.message : "";
  return more === "" ? error.message : `${error.message} (${more})`;
}
