import { Fault } from "./faults/fault.ts";
import type { Visibility } from "./records.ts";

/** Fault "invalid": unknown value. */
export function parseVisibility(text: string): Visibility {
  if (text === "public" || text === "private") return text;
  throw new Fault("invalid", "`visibility` must be `public` or `private`.");
}
