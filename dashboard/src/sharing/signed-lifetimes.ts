import { validateFuture } from "../text/expiry.ts";
import { formatDuration } from "../text/format-duration.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const PRESETS = [HOUR / 4, HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY];
const MAX_PRESET = 365 * DAY;

/** The choice of a date and time. */
export const CUSTOM = "custom";

/** In seconds. */
export interface LifetimeLimits {
  readonly default: number;
  readonly max: number;
}

/** The lifetimes to choose from, in seconds as text: round ones, the default and the longest. */
export function lifetimeOptions(limits: LifetimeLimits) {
  const { max } = limits;
  const all = new Set([...PRESETS, limits.default, ...(max < MAX_PRESET ? [max] : [])]);
  const allowed = [...all].filter((seconds) => seconds <= max).sort((a, b) => a - b);
  return [
    ...allowed.map((seconds) => ({ value: String(seconds), label: formatDuration(seconds) })),
    { value: CUSTOM, label: "Custom date and time…" },
  ];
}

export interface LifetimeChoice {
  /** The value of an option. */
  readonly choice: string;
  /** Date and time of the option "custom". */
  readonly custom: string;
}

/** The chosen lifetime in seconds, or what is wrong with it. */
export function chosenLifetime(
  { choice, custom }: LifetimeChoice,
  max: number,
  now: Date,
): { readonly seconds: number } | { readonly error: string } {
  if (choice !== CUSTOM) return { seconds: Number(choice) };
  const error = validateFuture(custom, now);
  if (error !== undefined) return { error };
  const seconds = Math.max(1, Math.floor((new Date(custom).getTime() - now.getTime()) / 1_000));
  if (seconds <= max) return { seconds };
  return { error: `Choose a time within ${formatDuration(max)}, the maximum on this server.` };
}
