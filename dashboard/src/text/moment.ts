/** Parses a timestamp in the API's format (`YYYY-MM-DD hh:mm:ss`, UTC) or in ISO 8601. */
export function parseMoment(text: string): Date {
  return new Date(text.includes("T") ? text : `${text.replace(" ", "T")}Z`);
}

const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const date = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** Formats a timestamp briefly: the time today, day and month this year, else the full date. */
export function momentText(text: string, now = new Date()): string {
  const moment = parseMoment(text);
  if (moment.toDateString() === now.toDateString()) return time.format(moment);
  return (moment.getFullYear() === now.getFullYear() ? day : date).format(moment);
}

/** Formats a timestamp with full date and time, for titles. */
export const fullMomentText = (text: string): string => full.format(parseMoment(text));
