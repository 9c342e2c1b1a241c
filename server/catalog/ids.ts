import type { Millis } from "../rules/records.ts";

/**
 * A new id that begins with the moment of creation: lists by `createdAt` are walks along the ids,
 * so the moment must be the one that goes into `created_at`.
 */
export function newId(createdAt: Millis): string {
  return Bun.randomUUIDv7("hex", createdAt);
}

/** Not greater than any id of this moment or a later one, and greater than those of earlier ones. */
export function firstId(moment: Millis): string {
  const digits = Math.min(Math.max(0, Math.ceil(moment)), 2 ** 48 - 1).toString(16);
  const padded = digits.padStart(12, "0");
  return `${padded.slice(0, 8)}-${padded.slice(8)}`;
}
