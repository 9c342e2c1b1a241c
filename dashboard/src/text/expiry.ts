const HOUR = 3_600;
const DAY = 24 * HOUR;
/** The server's limit. */
const MAX_YEARS = 100;

/** When a new key or link expires, to choose from. */
export const EXPIRY_OPTIONS = [
  { value: "never", label: "Never" },
  { value: String(HOUR), label: "After 1 hour" },
  { value: String(DAY), label: "After 1 day" },
  { value: String(7 * DAY), label: "After 7 days" },
  { value: String(30 * DAY), label: "After 30 days" },
  { value: String(90 * DAY), label: "After 90 days" },
  { value: String(365 * DAY), label: "After 1 year" },
  { value: "custom", label: "Custom date and time…" },
];

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
