import {
  DryRun,
  type DryRunChange,
  type DryRunReport,
  EMPTY_REPORT,
} from "../../domain/dry-run.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { similarName } from "../../domain/names/similar-name.ts";

const FIELD = "dryRun";

/** The response to a request that only tries a change: what it would do. */
export async function reportDryRun(result: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await result;
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    return { dryRun: reportObject(error.report) };
  }
  // There was nothing to change.
  return { dryRun: reportObject(EMPTY_REPORT) };
}

const reportObject = ({ changes, links, conflicts, ...totals }: DryRunReport) => ({
  ...totals,
  changes: changes.map(changeObject),
  conflicts: conflicts.map((conflict) => ({ ...conflict })),
  links: links.map((link) => ({ ...link })),
});

export const changeObject = ({ kind, ...change }: DryRunChange) => ({ type: kind, ...change });

interface Fields {
  readonly dryRun?: unknown;
}

/** Takes `dryRun` out of the checked query and body of a request. Returns whether one says yes. */
export function takeDryRun(...parts: readonly unknown[]): boolean {
  let isDryRun = false;
  for (const part of parts) {
    if (typeof part !== "object" || part === null || !(FIELD in part)) continue;
    const fields: Fields = part;
    if (fields.dryRun === true) isDryRun = true;
    Reflect.deleteProperty(part, FIELD);
  }
  return isDryRun;
}

/**
 * A change must not be made because of a typing error. Fault "invalid": one of the names, which the request does not have,
 * resembles `dryRun`. `known`: the names that it has.
 */
export function rejectMisspeltDryRun(
  names: Iterable<string>,
  known: Readonly<Record<string, unknown>>,
): void {
  for (const name of names) {
    if (Object.hasOwn(known, name) || similarName(name, [FIELD]) === undefined) continue;
    const message = Object.hasOwn(known, FIELD)
      ? `There is no \`${name.slice(0, 64)}\`: did you mean \`dryRun\`? Nothing was changed.`
      : "This request has no `dryRun`. Nothing was changed.";
    throw new Fault("invalid", message, {
      code: "unknown_field",
      details: { field: name.slice(0, 64), known: Object.keys(known) },
    });
  }
}
