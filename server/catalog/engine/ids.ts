import type { Millis } from "../../domain/records.ts";
import { uuidV7 } from "../../runtime/uuid.ts";

/** Characters of an id: a UUID with hyphens. */
export const ID_LENGTH = 36;

/**
 * A new id that begins with the time of creation. Lists by `createdAt` use the order of the ids, so
 * this must be the time in `created_at`.
 */
export function newId(createdAt: Millis): string {
  return uuidV7(createdAt);
}

/** The lower bound of the ids of this millisecond: greater than all ids of earlier ones. */
export function firstId(moment: Millis): string {
  const digits = Math.min(Math.max(0, Math.ceil(moment)), 2 ** 48 - 1).toString(16);
  const padded = digits.padStart(12, "0");
  return `${padded.slice(0, 8)}-${padded.slice(8)}`;
}
