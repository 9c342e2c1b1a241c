import { UsageError } from "../commands/usage-error.ts";
import { combineExitCodes, endsEverything, exitCodeOf, exitCodes } from "./exit-codes.ts";
import { openLastDeletions } from "./last-deletions.ts";
import type { RemoteSession } from "./run-remote.ts";

/** `undo [ID…]`: restores what deletions moved to the trash; without an ID, the last `rm` on this machine. */
export async function undoRemote(
  { holdall, server, output, signal }: RemoteSession,
  ids: readonly string[],
): Promise<number> {
  const lastDeletions = await openLastDeletions(server);
  const last = await lastDeletions.read();
  const undoIds = ids.length > 0 ? ids : last;
  if (undoIds.length === 0) {
    throw new UsageError(
      "There is no `rm` to undo. `undo` takes the ids of deletions, which `holdall trash` lists.",
    );
  }
  const codes = new Set<number>();
  const undone = new Set<string>();
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
      if (failed.length === 0) undone.add(undoId);
    } catch (error) {
      if (signal.aborted || endsEverything(error)) throw error;
      await output.problem(undoId, error);
      codes.add(exitCodeOf(error));
    }
  }
  if (undone.size > 0) await lastDeletions.write(last.filter((id) => !undone.has(id)));
  return combineExitCodes(codes);
}
