import { Fault } from "../../../domain/faults/fault.ts";

/** For `catch`: what is missing is undefined. Throws every other error again. */
export function ignoreMissing(error: unknown): undefined {
  if (error instanceof Fault && error.kind === "not_found") return undefined;
  throw error;
}
