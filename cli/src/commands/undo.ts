import { HoldallError } from "../../../sdk/src/holdall.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import { combineExitCodes, endsEverything, exitCodeOf, exitCodes } from "../exit-codes.ts";
import { type LastDeletion, openLastDeletions } from "../last-deletions.ts";
import type { RemoteSession } from "../run-remote.ts";
import { type UndoByOptions, undoBy } from "./undo-by.ts";

/**
 * `undo [ID…]`: restores what deletions moved to the trash; without an ID, the last `rm` on this machine. With `--by`: see
 * `undoBy`.
 */
export async function undoRemote(
  session: RemoteSession,
  ids: readonly string[],
  options: UndoByOptions,
): Promise<number> {
  const { by, since, until, folder } = options;
  const isBy = [by, since, until, folder].some((value) => value !== undefined);
  if (isBy && ids.length > 0) throw new UsageError("`undo` takes either ids or --by.");
  if (isBy) return undoBy(session, { by, since, until, folder });
  const { holdall, server, output, signal } = session;
  const lastDeletions = await openLastDeletions(server);
  const last = await lastDeletions.read();
  const undoIds = ids.length > 0 ? ids : requireUndoIds(last);
  const codes = new Set<number>();
  /** Nothing of these is left in the trash. */
  const over = new Set<string>();
  for (const undoId of undoIds) {
    try {
      const { restored, failed } = await holdall.trash.restore({ undoId }, { signal });
      for (const { id, kind, key, renamed } of restored) {
        const suffix = renamed ? ", because its name was taken" : "";
        await output.print(
          { type: "restored", kind, id, key, renamed, undoId },
          `Restored ${key}${kind === "folder" ? "/" : ""}${suffix}`,
        );
      }
      for (const { id, reason } of failed) {
        await output.problem(id, new Error(reason));
        codes.add(exitCodes.failed);
      }
      if (failed.length === 0) over.add(undoId);
    } catch (error) {
      if (signal.aborted || endsEverything(error)) throw error;
      const isGone = error instanceof HoldallError && error.status === 404;
      if (isGone) over.add(undoId);
      await output.problem(undoId, isGone ? new Error(NOT_IN_TRASH) : error);
      codes.add(exitCodeOf(error));
    }
  }
  if (last !== "forever" && last.some((id) => over.has(id))) {
    await lastDeletions.write(last.filter((id) => !over.has(id)));
  }
  return combineExitCodes(codes);
}

function requireUndoIds(last: LastDeletion): readonly string[] {
  if (last === "forever") {
    throw new UsageError(
      "The last `rm` deleted permanently, which cannot be undone. To undo an earlier one, give its id, which `holdall trash` lists.",
    );
  }
  if (last.length === 0) {
    throw new UsageError(
      "There is no `rm` to undo. `undo` takes the ids of deletions, which `holdall trash` lists.",
    );
  }
  return last;
}

const NOT_IN_TRASH =
  "The trash has nothing of this deletion: it was restored or deleted permanently since, or the API key may not see it.";
