import { CHANGE_CONDITIONS } from "../../../contract/conditions.ts";
import { Fault } from "../../domain/faults/fault.ts";

/**
 * For a change that evaluates no conditions. Fault "invalid": the request has one, so the client expects that a
 * condition that does not hold prevents the change.
 */
export function rejectConditions({ headers }: Request): void {
  const condition = CHANGE_CONDITIONS.find((name) => headers.has(name));
  if (condition === undefined) return;
  throw new Fault(
    "invalid",
    `This operation takes no condition, but the request has \`${condition}\`. Nothing was changed: send it without the header.`,
  );
}
