import type { KeyTrafficObject } from "../../../../sdk/src/holdall.ts";
import { formatBytes } from "../../../../server/rules/format-bytes.ts";
import { formatCount } from "../../text/format-count.ts";

/** What a key has done in the last 30 days: "1,204 requests in 30 days, 3.2 MB, 2 errors". */
export function requestsText(traffic: KeyTrafficObject | undefined): string {
  if (traffic === undefined || traffic.requests === 0) return "No requests in 30 days";
  const { requests, bytes, errors } = traffic;
  return [
    `${formatCount(requests, "request")} in 30 days`,
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
    ...(errors > 0 ? [formatCount(errors, "error")] : []),
  ].join(", ");
}
