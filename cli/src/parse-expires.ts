import { parseDuration } from "../../server/config/parse-duration.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";

/** The value of `--expires`: a duration from now, such as `7d`, or a day or time in ISO 8601. */
export function parseExpires(text: string): { expiresIn: number } | { expiresAt: string } {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 1000) return { expiresIn: Math.floor(ms / 1000) };
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const time = isTime ? new Date(text) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) {
    throw new UsageError(
      "--expires takes a duration, such as 12h or 7d, or a time, such as 2027-01-31 or 2027-01-31T18:00Z.",
    );
  }
  return { expiresAt: time.toISOString() };
}
