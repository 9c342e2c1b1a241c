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
 * Clients of tus send headers of their own, which a server of tus ignores. An upload that is described in JSON comes
 * from no such client, so its creation refuses them.
 */
export const refusesConditions = ({
  method,
  tus,
  isConditional,
}: Pick<Operation, "method" | "tus" | "isConditional">): boolean =>
  !SAFE_METHODS.includes(method) && tus !== true && isConditional !== true;
