import { formatTimeUntil } from "./format-duration.ts";
import { parseTimestamp } from "./timestamp.ts";

/** When a file ends: "Ends in 3 days". */
export const formatEnd = (at: string, now = Date.now()): string =>
  `Ends ${formatTimeUntil(parseTimestamp(at).getTime() - now)}`;
