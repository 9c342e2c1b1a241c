import type { z } from "zod";
import { Fault } from "../rules/fault.ts";

export const MAX_JSON_BYTES = 1024 * 1024;

/**
 * The body as a JSON object that fits the schema; unknown fields are left out.
 * Faults: "invalid" names the field; "too_large" past 1 MiB.
 */
export async function readJson<S extends z.ZodObject>(
  request: Request,
  schema: S,
): Promise<z.output<S>> {
  const text = await readText(request);
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
  const form = new URLSearchParams(await readText(request));
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

async function readText(request: Request): Promise<string> {
  const tooLarge = () => new Fault("too_large", "The body is larger than 1 MiB.");
  if (Number(request.headers.get("content-length") ?? 0) > MAX_JSON_BYTES) throw tooLarge();
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.length;
      if (length > MAX_JSON_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault("invalid", "The connection broke before the whole body had come.", { cause });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Fault("invalid", "The body must be valid UTF-8.");
  }
}
