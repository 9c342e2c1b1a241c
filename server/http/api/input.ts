import { z } from "zod";
import { bodyCut } from "../../domain/faults/connection-closed.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { giveWay } from "../../lib/time-slices.ts";
import { bodyOf } from "../connection/body-of.ts";
import { mediaTypeOf } from "../connection/media-type-of.ts";
import { countJsonValues } from "./count-json-values.ts";
import { rejectMisspeltDryRun } from "./dry-runs.ts";

const MIB = 1024 * 1024;

export const MAX_JSON_BYTES = MIB;

/** The limit of operations that take lists of keys, each of which may have 4 KiB. */
export const MAX_BULK_JSON_BYTES = 8 * MIB;

/**
 * Limit for unauthenticated requests, of which any number may be pending: an email address and a
 * password need no more.
 */
export const MAX_ANONYMOUS_JSON_BYTES = 16 * 1024;

/** Parsing and checking a longer text takes milliseconds. In UTF-16 code units. */
const LONG_TEXT = 16 * 1024;

/** The limit of operations that take lists: more ids than fit into a body. */
export const MAX_LIST_VALUES = 30_000;
/** The limit of all other operations, with room for fields that some of them ignore. */
const MAX_VALUES = 1000;

export interface InputRules {
  /** Fields and parameters that the schema does not have are dropped. Default: they are refused. */
  readonly ignoresUnknown?: boolean | undefined;
}

/**
 * Reads a body of at most `maxBytes` as a JSON object that matches the schema. Faults: "invalid" names
 * the field; "too_large".
 */
export async function readJson<S extends z.ZodObject>(
  request: Request,
  schema: S,
  { maxBytes = MAX_JSON_BYTES, ignoresUnknown }: InputRules & { readonly maxBytes?: number } = {},
): Promise<z.output<S>> {
  const maxValues = listsOf(schema).length > 0 ? MAX_LIST_VALUES : MAX_VALUES;
  const value = await readJsonValue(request, maxBytes, maxValues);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Fault("invalid", "The body must be a JSON object.");
  }
  if (ignoresUnknown !== true) rejectUnknown("field", Object.keys(value), schema);
  else rejectMisspeltDryRun(Object.keys(value), schema.shape);
  return check(schema, cutAtInvalidElements(schema, value));
}

/**
 * Reads a body of at most `maxBytes` as JSON with at most `maxValues` values. Faults: "invalid"; "too_large".
 */
export async function readJsonValue(
  request: Request,
  maxBytes: number,
  maxValues: number,
): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (text.length > LONG_TEXT) await giveWay();
  rejectManyValues(countJsonValues(text), maxValues);
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault(
      "invalid",
      "The body is not valid JSON: send an object with the fields of the request.",
    );
  }
}

/**
 * Refuses the body of an operation that takes none, since its fields would do nothing. Faults: as
 * `readJson`.
 */
export async function rejectBody(request: Request, maxBytes: number): Promise<void> {
  const { headers } = request;
  const hasBody =
    headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
  if (hasBody) await readJson(request, NO_FIELDS, { maxBytes });
}

const NO_FIELDS = z.object({});

/** Enough to recognise a misspelt name, and too little to fill the response. */
const MAX_SHOWN_NAME = 64;

/**
 * A misspelt limit must not create something without limits. Fault "invalid" names the fields, parameters
 * or arguments that there are.
 */
export function rejectUnknown(
  what: "field" | "parameter" | "argument",
  names: readonly string[],
  { shape }: z.ZodObject,
): void {
  const unknown = names.find((name) => !Object.hasOwn(shape, name));
  if (unknown === undefined) return;
  const shown = unknown.slice(0, MAX_SHOWN_NAME);
  const known = Object.keys(shape);
  throw new Fault(
    "invalid",
    `\`${shown}\` is not ${what === "argument" ? "an argument of this tool" : `a ${what} of this request`}, which ${
      known.length === 0 ? "has none" : `has ${known.map((name) => `\`${name}\``).join(", ")}`
    }.`,
    { code: "unknown_field", details: { field: shown, known } },
  );
}

/** Parsing hundreds of thousands of values would delay every other request. */
function rejectManyValues(count: number, maxValues: number): void {
  if (count <= maxValues) return;
  throw new Fault(
    "invalid",
    `The body has more than ${maxValues} values: send only the fields of the request.`,
  );
}

/** The fields that are lists, with the schema of their elements. */
function listsOf(schema: z.ZodObject): { field: string; element: z.core.$ZodType }[] {
  return Object.entries(schema.shape).flatMap(([field, given]) => {
    const type = given instanceof z.ZodOptional ? given.unwrap() : given;
    return type instanceof z.ZodArray ? [{ field, element: type.element }] : [];
  });
}

/**
 * Ends each list after its first invalid element: the schema would describe every one, which takes a
 * hundred times as long as parsing them.
 */
function cutAtInvalidElements(schema: z.ZodObject, value: object): object {
  let checked = value;
  for (const { field, element } of listsOf(schema)) {
    const list: unknown = Object.getOwnPropertyDescriptor(value, field)?.value;
    if (!Array.isArray(list)) continue;
    const invalid = list.findIndex((each) => !z.safeParse(element, each).success);
    if (invalid >= 0) checked = { ...checked, [field]: list.slice(0, invalid + 1) };
  }
  return checked;
}

/**
 * Reads an HTML form as an object that matches the schema; every field is a list of strings.
 * Faults: as `readJson`.
 */
export async function readForm<S extends z.ZodObject>(
  request: Request,
  schema: S,
  { ignoresUnknown }: InputRules = {},
): Promise<z.output<S>> {
  const text = await readText(request, MAX_JSON_BYTES);
  const maxValues = listsOf(schema).length > 0 ? MAX_LIST_VALUES : MAX_VALUES;
  rejectManyValues(text.split("&", MAX_LIST_VALUES + 1).length, maxValues);
  const form = new URLSearchParams(text);
  if (ignoresUnknown !== true) rejectUnknown("field", [...form.keys()], schema);
  const given: Record<string, string[]> = {};
  for (const name of Object.keys(schema.shape)) {
    if (form.has(name)) given[name] = form.getAll(name);
  }
  return check(schema, given);
}

/** Whether `Content-Type` declares an HTML form. */
export function isForm({ headers }: Request): boolean {
  return mediaTypeOf(headers) === "application/x-www-form-urlencoded";
}

/**
 * Reads the query as values that match the schema. A parameter that is a list may be repeated. Fault
 * "invalid" names the parameter.
 */
export function readQuery<S extends z.ZodObject>(
  search: URLSearchParams,
  schema: S,
  { ignoresUnknown }: InputRules = {},
): z.output<S> {
  if (ignoresUnknown !== true) rejectUnknown("parameter", [...search.keys()], schema);
  const given: Record<string, string | string[]> = {};
  const lists = listsOf(schema);
  for (const name of Object.keys(schema.shape)) {
    const values = search.getAll(name);
    if (lists.some(({ field }) => field === name)) {
      if (values.length > 0) given[name] = values;
      continue;
    }
    if (values.length > 1) throw new Fault("invalid", `\`${name}\` is given more than once.`);
    if (values[0] !== undefined) given[name] = values[0];
  }
  return check(schema, given);
}

/** The value, if it matches the schema. Fault "invalid" names the field that does not. */
export function check<S extends z.ZodObject>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.map(String).join(".") ?? "";
  throw new Fault("invalid", `\`${path}\` ${issue?.message ?? "is not valid"}.`);
}

/** The whole body. Faults: "too_large": it exceeds `maxBytes`; "invalid": it ends too early. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  try {
    return await readLimited(bodyOf(request), maxBytes);
  } catch (cause) {
    throw cause instanceof Fault ? cause : bodyCut(cause);
  }
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const bytes = await readBytes(request, maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Fault("invalid", "The body must be valid UTF-8.");
  }
}

/** Fault "too_large": the body exceeds `maxBytes`. */
async function readLimited(
  body: AsyncGenerator<Uint8Array, void, void>,
  maxBytes: number,
): Promise<Uint8Array> {
  // A list of chunks would take ninety times the body's length if it arrives in single bytes.
  let bytes: Uint8Array = new Uint8Array(0);
  let length = 0;
  for await (const chunk of body) {
    const end = length + chunk.length;
    if (end > maxBytes) throw tooLarge(maxBytes);
    if (end > bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * end, maxBytes));
    bytes.set(chunk, length);
    length = end;
  }
  return bytes.subarray(0, length);
}

function tooLarge(maxBytes: number): Fault {
  const size = maxBytes < MIB ? `${maxBytes / 1024} KiB` : `${maxBytes / MIB} MiB`;
  return new Fault("too_large", `The body is larger than ${size}.`, {
    details: { limit: maxBytes },
  });
}
