import { Fault } from "./faults/fault.ts";
import type { Name } from "./records.ts";

/**
 * The limit of every way to upload: the setting `maxUploadSize`, or less. Fault "too_large", the status 413: the size
 * is above `max`. undefined: unknown.
 */
export function checkMaxUploadSize(size: number | undefined, max: number, name?: Name): void {
  if (size === undefined || size <= max) return;
  const file = name === undefined ? "The file" : `"${name}"`;
  throw new Fault("too_large", `${file} is larger than the ${max} bytes that a file may have.`, {
    details: { limit: max },
  });
}
