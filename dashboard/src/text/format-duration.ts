import { formatCount } from "./format-count.ts";

/** Units of time with a fixed length, in seconds. */
export const TIME_UNITS = [
  { singular: "day", plural: "days", seconds: 86_400 },
  { singular: "hour", plural: "hours", seconds: 3_600 },
  { singular: "minute", plural: "minutes", seconds: 60 },
  { singular: "second", plural: "seconds", seconds: 1 },
] as const;

/** Formats a duration exactly, in the largest unit that divides it: "90 minutes". */
export function formatDuration(seconds: number): string {
  const unit = TIME_UNITS.find((each) => seconds >= each.seconds && seconds % each.seconds === 0);
  const { singular, plural, seconds: length } = unit ?? TIME_UNITS[3];
  return formatCount(seconds / length, singular, plural);
}

/** Formats the time until a future moment, rounded down: "in 40 minutes", "in 3 days". */
export function formatTimeUntil(millis: number): string {
  const seconds = Math.max(0, millis / 1_000);
  const unit = TIME_UNITS.find((each) => seconds >= each.seconds) ?? TIME_UNITS[3];
  return `in ${formatCount(Math.floor(seconds / unit.seconds), unit.singular, unit.plural)}`;
}
