import { countText } from "./count.ts";

/** Units of time with a fixed length, in seconds. */
export const SPANS = [
  { one: "day", many: "days", seconds: 86_400 },
  { one: "hour", many: "hours", seconds: 3_600 },
  { one: "minute", many: "minutes", seconds: 60 },
  { one: "second", many: "seconds", seconds: 1 },
] as const;

/** Formats a duration exactly, in the largest unit that divides it: "90 minutes". */
export function durationText(seconds: number): string {
  const span = SPANS.find((each) => seconds >= each.seconds && seconds % each.seconds === 0);
  const { one, many, seconds: length } = span ?? SPANS[3];
  return countText(seconds / length, one, many);
}

/** Formats the time until a future moment, rounded down: "in 40 minutes", "in 3 days". */
export function untilText(millis: number): string {
  const seconds = Math.max(0, millis / 1_000);
  const span = SPANS.find((each) => seconds >= each.seconds) ?? SPANS[3];
  return `in ${countText(Math.floor(seconds / span.seconds), span.one, span.many)}`;
}
