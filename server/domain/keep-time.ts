import { authorize } from "./callers/authorize.ts";
import type { Caller } from "./callers/caller.ts";
import { allows, isReversible } from "./callers/scope.ts";
import { Fault } from "./faults/fault.ts";

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

/** For how long replaced content is kept as a version; undefined: it is not. Keys without `delete` always keep it. */
export const keepReplacedMs = (settings: KeepSettings): number | undefined =>
  settings.keepVersions && settings.trashDays > 0 ? keepMs(settings) : undefined;

/** See `KeepsReplaced` of the catalog. */
export type ReplaceLimit = "noEarlierEnd" | "nothing";

/**
 * How the content is kept that a caller replaces: of one without the action `delete` always, whatever `keepVersions` says.
 * Without a trash, a caller that has `discard` alone replaces nothing.
 */
export function keepReplaced(
  { scope }: Pick<Caller, "scope">,
  settings: KeepSettings,
): {
  readonly keepReplacedMs: number | undefined;
  readonly replaceLimit: ReplaceLimit | undefined;
} {
  if (allows(scope, "delete")) {
    return { keepReplacedMs: keepReplacedMs(settings), replaceLimit: undefined };
  }
  const time = settings.trashDays > 0 ? keepMs(settings) : undefined;
  const isForbidden = time === undefined && isReversible(scope);
  return { keepReplacedMs: time, replaceLimit: isForbidden ? "nothing" : "noEarlierEnd" };
}

/**
 * In milliseconds; undefined: a deletion is permanent. `trash`: what the request wants. Faults:
 * "forbidden": the deletion would be permanent, and the caller lacks the action `delete`; "invalid":
 * it wants the trash, which is disabled.
 */
export function keepDeletedMs(
  caller: Pick<Caller, "scope">,
  settings: KeepSettings,
  trash: boolean | undefined,
): number | undefined {
  const isDisabled = settings.trashDays === 0;
  if (!allows(caller.scope, "delete")) {
    if (trash !== false && !isDisabled) return keepMs(settings);
    authorize(caller, "delete");
  }
  if (trash === true && isDisabled) {
    throw new Fault(
      "invalid",
      "`trash` must be false or omitted: the trash is disabled, because `trashDays` is 0.",
      { code: "trash_disabled" },
    );
  }
  return (trash ?? settings.trashDeletions) && !isDisabled ? keepMs(settings) : undefined;
}
