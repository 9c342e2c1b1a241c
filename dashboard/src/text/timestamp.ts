/** Parses a timestamp in the API's format (`YYYY-MM-DD hh:mm:ss`, UTC) or in ISO 8601. */
export function parseTimestamp(text: string): Date {
  return new Date(text.includes("T") ? text : `${text.replace(" ", "T")}Z`);
}

const time = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const date = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** Formats a timestamp briefly: the time today, day and month this year, else the full date. */
export function formatTimestamp(text: string, now = new Date()): string {
  const timestamp = parseTimestamp(text);
  if (timestamp.toDateString() === now.toDateString()) return time.format(timestamp);
  return (timestamp.getFullYear() === now.getFullYear() ? day : date).format(timestamp);
}

/** As the end of a sentence: "today at 1:24 AM", "on 5 Nov 2026". */
export function formatTimestampClause(text: string, now = new Date()): string {
  const timestamp = parseTimestamp(text);
  return timestamp.toDateString() === now.toDateString()
    ? `today at ${time.format(timestamp)}`
    : `on ${date.format(timestamp)}`;
}

/** Formats a timestamp with full date and time, for titles. */
export const formatFullTimestamp = (text: string): string => full.format(parseTimestamp(text));
