import type { OnConflict } from "../../sdk/src/holdall.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";

/** The value of `--on-conflict`. */
export function parseOnConflict(text: string | undefined): OnConflict {
  if (text === undefined) return "refuse";
  if (text === "refuse" || text === "replace" || text === "keepBoth" || text === "skip")
    return text;
  throw new UsageError("--on-conflict takes refuse, replace, keepBoth or skip.");
}
