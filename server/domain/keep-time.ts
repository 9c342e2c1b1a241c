import { Fault } from "./fault.ts";

/** How long deleted files and replaced content are kept. */
export interface KeepSettings {
  /** 0: nothing is kept. */
  readonly trashDays: number;
  /** Whether deletions that do not say it move to the trash. */
  readonly trashDeletions: boolean;
  readonly keepVersions: boolean;
}

const DAY_MS = 86_400_000;

/** In milliseconds. */
export const keepMs = ({ trashDays }: KeepSettings): number => trashDays * DAY_MS;

const HOUR_MS = 3_600_000;

/**
 * How long ended files are kept in the trash, in milliseconds. Without a trash too: the clock that has ended them may be
 * wrong, and another look at it an hour later decides.
 */
export const keepEndedMs = (settings: KeepSettings): number => Math.max(keepMs(settings), HOUR_MS);

/** In milliseconds; undefined: replaced content is not kept. */
export function keepReplacedMs(settings: KeepSettings): number | undefined {
  return settings.keepVersions && settings.trashDays > 0 ? keepMs(settings) : undefined;
}

/**
 * In milliseconds; undefined: a deletion is permanent. `trash`: what the request wants. Fault "invalid":
 * it wants the trash, which is disabled.
 */
export function keepDeletedMs(
  settings: KeepSettings,
  trash: boolean | undefined,
): number | undefined {
  const isDisabled = settings.trashDays === 0;
  if (trash === true && isDisabled) {
    throw new Fault(
      "invalid",
      "`trash` must be false or omitted: the trash is disabled, because `trashDays` is 0.",
      { code: "trash_disabled" },
    );
  }
  return (trash ?? settings.trashDeletions) && !isDisabled ? keepMs(settings) : undefined;
}
