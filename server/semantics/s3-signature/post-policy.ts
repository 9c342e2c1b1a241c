import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Millis } from "../../domain/records.ts";

/** The policy of a POST form. */
export interface PostPolicy {
  readonly expiration: Millis;
  readonly conditions: readonly PolicyCondition[];
  /** How many bytes the file may have; undefined: any number. */
  readonly size: { readonly min: number; readonly max: number } | undefined;
}

/** What a field must be equal to or start with; the field is in lower case. */
export interface PolicyCondition {
  readonly kind: "eq" | "starts-with";
  readonly field: string;
  readonly value: string;
}

/** S3 has the same limit for all fields together. */
const MAX_LENGTH = 20 * 1024;

/** Reads a policy: JSON in base64. S3Fault "InvalidPolicyDocument" says what is wrong. */
export function parsePolicy(encoded: string): PostPolicy {
  if (encoded.length > MAX_LENGTH) throw invalid(`it is longer than ${MAX_LENGTH} characters`);
  const document = parseJson(encoded);
  const { expiration, conditions } = document;
  const time =
    typeof expiration === "string" && ISO.test(expiration) ? Date.parse(expiration) : NaN;
  if (Number.isNaN(time)) {
    throw invalid("`expiration` must be a time such as 2030-12-30T12:00:00.000Z");
  }
  if (!Array.isArray(conditions)) throw invalid("`conditions` must be a list");
  const found: PolicyCondition[] = [];
  let size: PostPolicy["size"];
  for (const condition of conditions) {
    if (!Array.isArray(condition)) found.push(...equalities(condition));
    else if (isNamed(condition[0], "content-length-range")) size = narrower(size, range(condition));
    else found.push(comparison(condition));
  }
  return { expiration: time, conditions: found, size };
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

function parseJson(encoded: string): { readonly [name: string]: unknown } {
  const bytes = /^[A-Za-z0-9+/=\s]*$/.test(encoded) ? Buffer.from(encoded, "base64") : undefined;
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid("it is not JSON in base64");
  }
  if (isObject(document)) return document;
  throw invalid("it is not a JSON object");
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isNamed = (value: unknown, name: string): boolean =>
  typeof value === "string" && value.toLowerCase() === name;

/** `{ "field": "value" }` */
function equalities(condition: unknown): PolicyCondition[] {
  const entries = isObject(condition) ? Object.entries(condition) : [];
  if (entries.length === 0)
    throw invalid("a condition is neither a list nor an object with a field");
  return entries.map(([field, value]) => {
    if (typeof value !== "string") throw invalid(`the value of \`${field}\` must be text`);
    return { kind: "eq", field: field.toLowerCase(), value };
  });
}

/** `["eq", "$field", "value"]`, `["starts-with", "$field", "value"]` */
function comparison(condition: readonly unknown[]): PolicyCondition {
  const [operator, field, value, ...more] = condition;
  const kind = isNamed(operator, "eq") ? "eq" : isNamed(operator, "starts-with") && "starts-with";
  const isComplete = typeof field === "string" && typeof value === "string" && more.length === 0;
  if (!kind || !isComplete || !field.startsWith("$")) {
    throw invalid(
      'a condition in a list must be ["eq", "$field", "value"], ["starts-with", "$field", "value"] or ["content-length-range", min, max]',
    );
  }
  return { kind, field: field.slice(1).toLowerCase(), value };
}

/** `["content-length-range", 0, 1024]`; the numbers may be text. */
function range(condition: readonly unknown[]): { readonly min: number; readonly max: number } {
  const [min = NaN, max = NaN] = condition.slice(1).map(wholeNumber);
  if (condition.length === 3 && min <= max) return { min, max };
  throw invalid("`content-length-range` takes the smallest and the largest number of bytes");
}

function wholeNumber(value: unknown): number {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : NaN;
}

function narrower(size: PostPolicy["size"], other: { min: number; max: number }) {
  if (size === undefined) return other;
  return { min: Math.max(size.min, other.min), max: Math.min(size.max, other.max) };
}

const invalid = (why: string): S3Fault =>
  new S3Fault("InvalidPolicyDocument", `Invalid Policy: ${why}.`);
