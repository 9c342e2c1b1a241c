import { parseTimestamp } from "./timestamp.ts";

const DAY_MS = 86_400_000;
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** How many days ago a moment was, by the calendar: "today", "yesterday", "3 days ago". */
export function formatAge(at: string, now = new Date()): string {
  return relative.format(-daysSince(at, now), "day");
}

/** The number of midnights since a moment. */
export function daysSince(at: string, now = new Date()): number {
  const then = parseTimestamp(at);
  return Math.max(0, Math.round((startOf(now) - startOf(then)) / DAY_MS));
}

const startOf = (moment: Date): number =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
