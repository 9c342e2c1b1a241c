import type { z } from "zod";
import { Fault } from "../rules/fault.ts";

export const MAX_JSON_BYTES = 1024 * 1024;

/**
 * Of who has not shown who they are: an address and a password need no more, and as many bodies as
 * there are connections may be waited for.
 */
export const MAX_OPEN_JSON_BYTES = 16 * 1024;

/**
 * The body, of at most `most` bytes, as a JSON object that fits the schema; unknown fields are left
 * out. Faults: "invalid" names the field; "too_large".
 */
export async function readJson<S extends z.ZodObject>(
  request: Request,
  schema: S,
  most = MAX_JSON_BYTES,
): Promise<z.output<S>> {
  const text = await readText(request, most);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault("invalid", "The body must be JSON: an object with the fields of the request.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Fault("invalid", "The body must be a JSON object.");
  }
  return check(schema, value);
}

/**
 * The body of a form, each of its fields a list of text, as an object that fits the schema.
 * Faults as of `readJson`.
 */
export async function readForm<S extends z.ZodObject>(
  request: Request,
  schema: S,
): Promise<z.output<S>> {
  const form = new URLSearchParams(await readText(request, MAX_JSON_BYTES));
  const given: Record<string, string[]> = {};
  for (const name of Object.keys(schema.shape)) {
    if (form.has(name)) given[name] = form.getAll(name);
  }
  return check(schema, given);
}

/** Whether the body says that it is a form. */
export function isForm({ headers }: Request): boolean {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase() === "application/x-www-form-urlencoded";
}

/**
 * The query as values that fit the schema; unknown parameters are left out.
 * Fault "invalid" names the parameter.
 */
export function readQuery<S extends z.ZodObject>(search: URLSearchParams, schema: S): z.output<S> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const values = search.getAll(name);
    if (values.length > 1) throw new Fault("invalid", `\`${name}\` is given more than once.`);
    if (values[0] !== undefined) given[name] = values[0];
  }
  return check(schema, given);
}

function check<S extends z.ZodObject>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.map(String).join(".") ?? "";
  throw new Fault("invalid", `\`${path}\` ${issue?.message ?? "is not valid"}.`);
}

async function readText(request: Request, most: number): Promise<string> {
  const declared = request.headers.get("content-length");
  if (Number(declared ?? 0) > most) throw tooLarge(most);
  let bytes: Uint8Array;
  try {
    // Reading a stream costs more than the answer to most requests.
    bytes = declared === null ? await readLimited(request, most) : await request.bytes();
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault("invalid", "The connection broke before the whole body had come.", { cause });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Fault("invalid", "The body must be valid UTF-8.");
  }
}

/** A body that does not say how long it is. Fault "too_large": longer than it may be. */
async function readLimited({ body }: Request, most: number): Promise<Uint8Array> {
  // Not a list of what came: a body that comes in single bytes would take ninety times its length.
  let bytes = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of body ?? []) {
    const end = length + chunk.length;
    if (end > most) throw tooLarge(most);
    if (end > bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * end, most));
    bytes.set(chunk, length);
    length = end;
  }
  return bytes.subarray(0, length);
}

function tooLarge(most: number): Fault {
  const size = most < MAX_JSON_BYTES ? `${most / 1024} KiB` : "1 MiB";
  return new Fault("too_large", `The body is larger than ${size}.`);
}
