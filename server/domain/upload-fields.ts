import { Fault } from "./faults/fault.ts";

/*
 * Header fields with numbers and booleans of tus 1.0.0 and of the IETF draft "Resumable Uploads for
 * HTTP", whose fields are structured (RFC 9651).
 */

const WHOLE = /^\d{1,15}$/;

/** Bytes: a whole number. null: the field is absent. Fault "invalid" names the field. */
export function parseByteCount(field: string, value: string | null): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (WHOLE.test(text)) return Number(text);
  throw new Fault("invalid", `${field} must be a whole number of bytes.`);
}

/** A boolean of the draft: `?1` or `?0`. null: the field is absent. Fault "invalid" names the field. */
export function parseBooleanField(field: string, value: string | null): boolean | null {
  if (value === null) return null;
  const text = value.trim();
  if (text === "?1") return true;
  if (text === "?0") return false;
  throw new Fault("invalid", `${field} must be \`?1\` (true) or \`?0\` (false).`);
}

export const booleanField = (value: boolean): string => (value ? "?1" : "?0");
