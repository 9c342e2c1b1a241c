import type { Millis } from "./records.ts";

/** The instant in UTC as `YYYY-MM-DD HH:MM:SS`, rounded down to seconds; for the years 0 to 9999. */
export function timestamp(instant: Millis): string {
  const iso = new Date(instant).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}
