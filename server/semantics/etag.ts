import type { Millis } from "../domain/records.ts";

/**
 * The strong entity tag of content of `size` bytes stored at `modifiedAt`, with its quotes (RFC 9110,
 * section 8.8.3).
 */
export function etag(size: number, modifiedAt: Millis): string {
  return `"${size.toString(16)}-${modifiedAt.toString(16)}"`;
}

/** Formats an instant as an IMF-fixdate, in whole seconds rounded down (RFC 9110, section 5.6.7). */
export function httpDate(instant: Millis): string {
  return new Date(instant).toUTCString();
}

/** An instant as an HTTP date has it: without milliseconds. */
export const wholeSeconds = (instant: Millis): Millis => Math.floor(instant / 1000) * 1000;

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const day = `(?<day>${DAYS.map((name) => name.slice(0, 3)).join("|")})`;
const longDay = `(?<day>${DAYS.join("|")})`;
const month = `(?<month>${MONTHS.join("|")})`;
const time = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";

const IMF_FIXDATE = new RegExp(`^${day}, (?<date>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`);
const RFC_850 = new RegExp(`^${longDay}, (?<date>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`);
const ASCTIME = new RegExp(`^${day} ${month} (?<date>\\d\\d| \\d) ${time} (?<year>\\d{4})$`);

/**
 * Parses an HTTP date in any of its three forms (RFC 9110, section 5.6.7). undefined: not a date, or one
 * that does not exist or has the wrong day of the week. Two-digit years (RFC 850) are resolved relative
 * to `now`.
 */
export function parseHttpDate(text: string, now: Millis = Date.now()): Millis | undefined {
  const full = IMF_FIXDATE.exec(text)?.groups ?? ASCTIME.exec(text)?.groups;
  if (full !== undefined) return instantOf(full, Number(full.year));
  const short = RFC_850.exec(text)?.groups;
  return short === undefined ? undefined : instantOfShortYear(short, Number(short.year), now);
}

type Fields = Readonly<Record<string, string | undefined>>;

function instantOf(fields: Fields, year: number): Millis | undefined {
  const date = Number(fields.date);
  const [hour, minute, second] = [
    Number(fields.hour),
    Number(fields.minute),
    Number(fields.second),
  ];
  const isLeapSecond = hour === 23 && minute === 59 && second === 60;
  if (hour > 23 || minute > 59 || (second > 59 && !isLeapSecond)) return undefined;
  const midnight = new Date(0);
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  midnight.setUTCFullYear(year, MONTHS.indexOf(fields.month ?? ""), date);
  if (midnight.getUTCDate() !== date) return undefined;
  if (!DAYS[midnight.getUTCDay()]?.startsWith(fields.day ?? "")) return undefined;
  return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000;
}

/**
 * A two-digit year that appears to be more than 50 years in the future is the most recent year in the
 * past with the same digits.
 */
function instantOfShortYear(fields: Fields, digits: number, now: Millis): Millis | undefined {
  const today = new Date(now);
  const year = today.getUTCFullYear();
  const sameCentury = year - (year % 100) + digits;
  const horizon = today.setUTCFullYear(year + 50);
  const latest = Date.UTC(sameCentury, MONTHS.indexOf(fields.month ?? ""), Number(fields.date));
  return instantOf(fields, latest > horizon ? sameCentury - 100 : sameCentury);
}
