import { Fault } from "../domain/faults/fault.ts";

/**
 * For whoever runs the command. The message of a fault is written for clients; its cause has what they
 * must not learn, such as the path of a file.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const more = error instanceof Fault && error.cause instanceof Error ? error.cause.message : "";
  return more === "" ? error.message : `${error.message} (${more})`;
}
