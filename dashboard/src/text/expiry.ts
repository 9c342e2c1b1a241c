import { formatCount } from "./format-count.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** The server's limit. */
const MAX_YEARS = 100;

const YEAR = 365 * DAY;
const PRESETS = [HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY, YEAR];

/** In days. */
export interface ExpiryLimits {
  /** 0: without an end. */
  readonly default: number;
  /** 0: no maximum. */
  readonly max: number;
}

const NO_LIMITS: ExpiryLimits = { default: 0, max: 0 };

/** When a new key or link expires, to choose from: round times, the default and the maximum. */
export function expiryOptions(limits: ExpiryLimits = NO_LIMITS) {
  const own = [limits.default, limits.max].map((days) => days * DAY).filter((each) => each > 0);
  const longest = limits.max === 0 ? Number.POSITIVE_INFINITY : limits.max * DAY;
  const lifetimes = [...new Set([...PRESETS, ...own])]
    .filter((each) => each <= longest)
    .sort((one, other) => one - other);
  return [
    ...(limits.max === 0 ? [{ value: "never", label: "Never" }] : []),
    ...lifetimes.map((seconds) => ({ value: String(seconds), label: `After ${inWords(seconds)}` })),
    { value: "custom", label: "Custom date and time…" },
  ];
}

const inWords = (seconds: number): string =>
  seconds === HOUR ? "1 hour" : seconds === YEAR ? "1 year" : formatCount(seconds / DAY, "day");

/** The chosen expiry; undefined for "never" and for an invalid date. */
export function expiryOf(choice: string, custom: string, now: Date): Date | undefined {
  if (choice === "never") return undefined;
  const expiry =
    choice === "custom" ? new Date(custom) : new Date(now.getTime() + Number(choice) * 1_000);
  return Number.isNaN(expiry.getTime()) ? undefined : expiry;
}

/** Validates that a custom expiry is a time to come, and returns the error message, if any. */
export function validateFuture(custom: string, now: Date): string | undefined {
  const expiry = expiryOf("custom", custom, now);
  if (expiry === undefined) return "Enter a date and time.";
  return expiry > now ? undefined : "This is in the past. Choose a later time.";
}

/** Validates a custom expiry and returns the error message, if any. */
export function validateExpiry(choice: string, custom: string, now: Date): string | undefined {
  if (choice !== "custom") return undefined;
  const error = validateFuture(custom, now);
  if (error !== undefined) return error;
  const latest = new Date(now);
  latest.setFullYear(latest.getFullYear() + MAX_YEARS);
  if (new Date(custom) < latest) return undefined;
  return `Choose a time within ${MAX_YEARS} years, or “Never”.`;
}
