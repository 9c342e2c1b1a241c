import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { KeyTrafficObject } from "../../../../sdk/src/holdall.ts";
import { formatCount } from "../../text/format-count.ts";

/**
 * The requests of a key in the last 30 days, the first of which starts at `since`: "1,204 requests in 30
 * days, 3.2 MB, 2 errors". undefined: unknown, because it was used before the server began to count.
 */
export function requestsText(
  traffic: KeyTrafficObject | undefined,
  lastUsedAt: string | null,
  since: string,
): string | undefined {
  if (traffic === undefined || traffic.requests === 0) {
    return lastUsedAt !== null && lastUsedAt >= since ? undefined : "No requests in 30 days";
  }
  const { requests, bytes, errors } = traffic;
  return [
    `${formatCount(requests, "request")} in 30 days`,
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
    ...(errors > 0 ? [formatCount(errors, "error")] : []),
  ].join(", ");
}
