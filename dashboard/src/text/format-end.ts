import { formatTimeUntil } from "./format-duration.ts";
import { parseTimestamp } from "./timestamp.ts";

/** So that what was just set to seven days does not end "in 6 days". */
const SLACK_MS = 60_000;

/** When a file ends: "Ends in 3 days". */
export const formatEnd = (at: string, now = Date.now()): string =>
  `Ends ${formatTimeUntil(parseTimestamp(at).getTime() - now + SLACK_MS)}`;
