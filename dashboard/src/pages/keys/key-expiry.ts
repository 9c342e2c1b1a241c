import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { parseTimestamp } from "../../text/timestamp.ts";

const SOON_MS = 7 * 86_400_000;

export type KeyStatus = "active" | "soon" | "expired";

/** Whether a key is active, expires within seven days ("soon"), or has expired. */
export function keyStatus({ expiresAt }: ApiKeyObject, now: Date): KeyStatus {
  if (expiresAt === null) return "active";
  const remaining = parseTimestamp(expiresAt).getTime() - now.getTime();
  if (remaining <= 0) return "expired";
  return remaining <= SOON_MS ? "soon" : "active";
}
