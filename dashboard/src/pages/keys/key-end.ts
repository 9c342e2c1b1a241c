import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { parseMoment } from "../../text/moment.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const SOON_MS = 7 * DAY * 1_000;
/** The server's limit. */
const MOST_YEARS = 100;

/** Expiry options of a new key. */
export const ENDS = [
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
export function endOf(choice: string, custom: string, now: Date): Date | undefined {
  if (choice === "never") return undefined;
  const end =
    choice === "custom" ? new Date(custom) : new Date(now.getTime() + Number(choice) * 1_000);
  return Number.isNaN(end.getTime()) ? undefined : end;
}

/** Validates a custom expiry and returns the error message, if any. */
export function endMistake(choice: string, custom: string, now: Date): string | undefined {
  if (choice !== "custom") return undefined;
  const end = endOf(choice, custom, now);
  if (end === undefined) return "Enter a date and time.";
  if (end <= now) return "This is in the past. Choose a later time.";
  const last = new Date(now);
  last.setFullYear(last.getFullYear() + MOST_YEARS);
  return end < last ? undefined : `Choose a time within ${MOST_YEARS} years, or “Never”.`;
}

export type KeyState = "active" | "soon" | "expired";

/** Whether a key is active, expires within seven days ("soon"), or has expired. */
export function stateOf({ expiresAt }: ApiKeyObject, now: Date): KeyState {
  if (expiresAt === null) return "active";
  const left = parseMoment(expiresAt).getTime() - now.getTime();
  if (left <= 0) return "expired";
  return left <= SOON_MS ? "soon" : "active";
}
