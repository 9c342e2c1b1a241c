import type { ApiKeyObject } from "../../../../sdk/src/holdall.ts";
import { parseMoment } from "../../text/moment.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const SOON_MS = 7 * DAY * 1_000;
/** What the server takes at most. */
const MOST_YEARS = 100;

/** When a new key ends: after a while, at a moment of one's own, or never. */
export const ENDS = [
  { value: "never", label: "Never" },
  { value: String(HOUR), label: "After 1 hour" },
  { value: String(DAY), label: "After 1 day" },
  { value: String(7 * DAY), label: "After 7 days" },
  { value: String(30 * DAY), label: "After 30 days" },
  { value: String(90 * DAY), label: "After 90 days" },
  { value: String(365 * DAY), label: "After 1 year" },
  { value: "own", label: "At a date and time…" },
];

/** The moment that is meant; undefined: never, or nothing that can be one. */
export function endOf(choice: string, own: string, now: Date): Date | undefined {
  if (choice === "never") return undefined;
  const end = choice === "own" ? new Date(own) : new Date(now.getTime() + Number(choice) * 1_000);
  return Number.isNaN(end.getTime()) ? undefined : end;
}

/** What is wrong with a moment of one's own. */
export function endMistake(choice: string, own: string, now: Date): string | undefined {
  if (choice !== "own") return undefined;
  const end = endOf(choice, own, now);
  if (end === undefined) return "Enter a date and a time.";
  if (end <= now) return "This is in the past: choose a later moment.";
  const last = new Date(now);
  last.setFullYear(last.getFullYear() + MOST_YEARS);
  return end < last ? undefined : `Choose a moment within ${MOST_YEARS} years, or “Never”.`;
}

export type KeyState = "open" | "soon" | "expired";

/** Whether a key works, and whether it is about to end: within seven days. */
export function stateOf({ expiresAt }: ApiKeyObject, now: Date): KeyState {
  if (expiresAt === null) return "open";
  const left = parseMoment(expiresAt).getTime() - now.getTime();
  if (left <= 0) return "expired";
  return left <= SOON_MS ? "soon" : "open";
}
