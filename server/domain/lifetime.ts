import type { FileRecord, Millis } from "./records.ts";

/*
 * A file may end: from that moment it is missing everywhere, and a job moves it to the trash.
 */

/**
 * What somebody sets for files that may come later, such as those of an upload URL: they never end, end so many
 * seconds after they have appeared, or at a time in milliseconds since 1970.
 */
export type Lifetime = "never" | `in ${number}` | `at ${number}`;

/** The last moment of the year 9999: later times have no place in a date of four digits. */
export const LAST_MOMENT: Millis = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** When a file ends that has appeared now; null: never. */
export function endOf(lifetime: Lifetime, now: Millis): Millis | null {
  if (lifetime === "never") return null;
  const value = Number(lifetime.slice(3));
  return Math.min(lifetime.startsWith("at ") ? value : now + value * 1000, LAST_MOMENT);
}

/** Whole seconds until the file ends; undefined: it does not. */
export const endsIn = (
  { expiresAt }: Pick<FileRecord, "expiresAt">,
  now: () => Millis,
): number | undefined =>
  expiresAt === null ? undefined : Math.max(0, Math.floor((expiresAt - now()) / 1000));

/** Whether the file is missing although its record is still there. The clock is read only for a file that ends. */
export const isEnded = ({ expiresAt }: Pick<FileRecord, "expiresAt">, now: () => Millis): boolean =>
  expiresAt !== null && expiresAt <= now();
