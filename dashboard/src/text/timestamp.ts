/** Parses a timestamp in the API's format (`YYYY-MM-DD hh:mm:ss`, UTC) or in ISO 8601. */
export function parseTimestamp(text: string): Date {
  return new Date(text.includes("T") ? text : `${text.replace(" ", "T")}Z`);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const TIME = { hour: "numeric", minute: "2-digit" } as const;
const DAY = { day: "numeric", month: "short" } as const;
const time = new Intl.DateTimeFormat(undefined, TIME);
const day = new Intl.DateTimeFormat(undefined, DAY);
const dayAndTime = new Intl.DateTimeFormat(undefined, { ...DAY, ...TIME });
const date = new Intl.DateTimeFormat(undefined, { ...DAY, year: "numeric" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** The time of day: "1:25 AM". */
export const formatTimeOfDay = (moment: Date): string => time.format(moment);

/**
 * Formats a timestamp briefly: "5 min ago" in the last hour, the time today, day and month this year,
 * else the full date. `long`: this year, with the time.
 */
export function formatTimestamp(
  text: string,
  now = new Date(),
  length: "short" | "long" = "short",
): string {
  const timestamp = parseTimestamp(text);
  const age = now.getTime() - timestamp.getTime();
  if (isRecent(age)) return age < MINUTE_MS ? "just now" : `${Math.floor(age / MINUTE_MS)} min ago`;
  if (timestamp.toDateString() === now.toDateString()) return time.format(timestamp);
  if (timestamp.getFullYear() !== now.getFullYear()) return date.format(timestamp);
  return (length === "long" ? dayAndTime : day).format(timestamp);
}

/** The milliseconds until `formatTimestamp` says something else; undefined: for hours. */
export function untilNextText(text: string, now = new Date()): number | undefined {
  const age = now.getTime() - parseTimestamp(text).getTime();
  return isRecent(age) ? MINUTE_MS - (Math.max(0, age) % MINUTE_MS) : undefined;
}

/** The server's clock may be a little ahead of the browser's. */
const CLOCK_DIFFERENCE_MS = 5_000;

const isRecent = (age: number): boolean => age > -CLOCK_DIFFERENCE_MS && age < HOUR_MS;

/** The time as the end of a sentence: "today at 1:24 AM", "on 5 Nov 2026". */
export function formatTimestampClause(text: string, now = new Date()): string {
  const timestamp = parseTimestamp(text);
  return timestamp.toDateString() === now.toDateString()
    ? `today at ${time.format(timestamp)}`
    : `on ${date.format(timestamp)}`;
}

/** Until when something works, or did: "expires 5 Nov, 1:24 AM", "expired 5 min ago". */
export function formatExpiry(text: string, now = new Date()): string {
  const verb = parseTimestamp(text) > now ? "expires" : "expired";
  return `${verb} ${formatTimestamp(text, now, "long")}`;
}

/** Formats a timestamp with full date and time, for titles. */
export const formatFullTimestamp = (text: string): string => full.format(parseTimestamp(text));
