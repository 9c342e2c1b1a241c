import { UsageError } from "../../server/terminal/usage-error.ts";

/** The value of `--expires-in`. */
export function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (seconds < 1)
    throw new UsageError("--expires-in takes a whole number of seconds, at least 1.");
  return seconds;
}
