import type { CatalogClock } from "../../catalog/port/catalog-clock.ts";
import type { UndoChanges, Undone, WantedUndo } from "../../catalog/port/undo.ts";
import type { Authorized } from "../../domain/callers/authorize.ts";
import { allows } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { type KeepSettings, keepMs } from "../../domain/keep-time.ts";

export type UndoRequest = Pick<WantedUndo, "by" | "since" | "until" | "folder" | "onlyDeletions">;

/**
 * Undoes what API keys or an account did. Faults: those of `UndoChanges`; "forbidden": others did it and the caller is
 * not `admin`; "gone": `since` is longer ago than the trash keeps; "invalid": it is in the future.
 */
export type UndoService = (
  caller: Authorized<"write" | "discard">,
  request: UndoRequest,
) => Promise<Undone>;

export function createUndoService({
  catalog,
  settings,
}: {
  readonly catalog: Pick<UndoChanges, "undoChanges"> & Pick<CatalogClock, "now">;
  readonly settings: () => KeepSettings;
}): UndoService {
  return async (caller, request) => {
    const { id } = caller.actor;
    const maker = allows(caller.scope, "admin") ? undefined : (id ?? "");
    const now = catalog.now();
    if (request.since > now) throw new Fault("invalid", "`since` must not be in the future.");
    if (request.until !== undefined && request.until < request.since) {
      throw new Fault("invalid", "`until` must not be before `since`.");
    }
    const kept = keepMs(settings());
    if (request.since < now - kept) {
      throw new Fault(
        "gone",
        kept === 0
          ? "Nothing can be undone: the trash is disabled, because `trashDays` is 0."
          : `What was done more than ${kept / 86_400_000} days ago can no longer be undone: \`since\` must be later.`,
      );
    }
    return catalog.undoChanges(caller, { ...request, maker, keepMs: kept });
  };
}
