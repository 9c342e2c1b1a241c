import type { Millis } from "../rules/records.ts";

/**
 * A new id that begins with the moment of creation: lists by `createdAt` are walks along the ids,
 * so the moment must be the one that goes into `created_at`.
 */
export function newId(createdAt: Millis): string {
  return Bun.randomUUIDv7("hex", createdAt);
}
