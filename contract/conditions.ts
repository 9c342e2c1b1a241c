import type { Operation } from "./operation.ts";

/**
 * Headers that make a change conditional (RFC 9110, section 13.1). `If-Modified-Since` counts for reads only, and
 * `If-Range` only with a range.
 */
export const CHANGE_CONDITIONS = ["If-Match", "If-None-Match", "If-Unmodified-Since"] as const;

/** They change nothing (RFC 9110, section 9.2.1). */
export const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/**
 * Whether the operation refuses every condition on a change, because it evaluates none and the client relies on it.
 * No client of tus sends one by itself, and an upload can replace a file or be removed.
 */
export const refusesConditions = ({
  method,
  isConditional,
}: Pick<Operation, "method" | "isConditional">): boolean =>
  !SAFE_METHODS.includes(method) && isConditional !== true;
