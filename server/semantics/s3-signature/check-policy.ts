import { S3Fault } from "../../domain/s3-fault.ts";
import type { PolicyCondition, PostPolicy } from "./post-policy.ts";

/** Fields that no condition needs to cover, besides `x-ignore-…`. */
const UNCOVERED = new Set(["policy", "x-amz-signature", "file"]);

/**
 * Checks the fields of a form, with their names in lower case, against its policy. S3Fault
 * "AccessDenied": a condition does not hold, or no condition covers a field.
 */
export function checkPolicy(policy: PostPolicy, fields: ReadonlyMap<string, string>): void {
  const covered = new Set<string>();
  for (const condition of policy.conditions) {
    if (!holds(condition, fields)) throw denied(`Policy Condition failed: ${textOf(condition)}`);
    covered.add(condition.field);
  }
  for (const field of fields.keys()) {
    if (covered.has(field) || UNCOVERED.has(field) || field.startsWith("x-ignore-")) continue;
    throw denied(`Extra input fields: ${field}`);
  }
}

function holds({ kind, field, value }: PolicyCondition, fields: ReadonlyMap<string, string>) {
  const actual = fields.get(field);
  if (kind === "eq") return actual === value;
  if (actual === undefined) return value === "";
  // A list of types, such as "image/png,image/jpeg", must match as a whole.
  return field === "content-type"
    ? actual.split(",").every((each) => each.startsWith(value))
    : actual.startsWith(value);
}

const textOf = ({ kind, field, value }: PolicyCondition): string =>
  JSON.stringify([kind, `$${field}`, value]);

const denied = (why: string): S3Fault =>
  new S3Fault("AccessDenied", `Invalid according to Policy: ${why}`);
