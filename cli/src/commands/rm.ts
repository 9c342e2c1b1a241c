import { type Deletion, type Holdall, HoldallError } from "../../../sdk/src/holdall.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import { combineExitCodes, endsEverything, exitCodeOf } from "../exit-codes.ts";
import { type Entry, requireEntry } from "../find-entry.ts";
import { openLastDeletions } from "../last-deletions.ts";
import type { RemoteSession } from "../run-remote.ts";

export interface RemoveOptions {
  /** Whether folders are deleted, with everything in them. */
  readonly recursive?: boolean | undefined;
  /** Whether nothing goes to the trash. */
  readonly forever?: boolean | undefined;
}

/** `rm KEY… [--recursive] [--forever]`: moves files and folders to the trash, or deletes them permanently. */
export async function removeRemote(
  { holdall, server, output, signal }: RemoteSession,
  keys: readonly string[],
  options: RemoveOptions,
): Promise<number> {
  if (keys.length === 0) throw new UsageError("`rm` takes the keys of files or folders.");
  const lastDeletions = await openLastDeletions(server);
  const codes = new Set<number>();
  const undoIds: string[] = [];
  for (const key of keys) {
    try {
      const entry = await requireEntry(holdall, key, signal);
      const { undoId } = await remove(holdall, entry, options, signal);
      if (undoId !== null) undoIds.push(undoId);
      await lastDeletions.write(undoIds.length > 0 ? undoIds : "forever");
      const { id, key: removed } = entry.type === "file" ? entry.file : entry.folder;
      const name = `${removed}${entry.type === "folder" ? "/" : ""}`;
      await output.print(
        { type: "deleted", kind: entry.type, id, key: removed, undoId },
        undoId === null ? `Deleted ${name}` : `Moved ${name} to the trash`,
      );
    } catch (error) {
      if (signal.aborted || endsEverything(error)) throw error;
      await output.problem(key, error);
      codes.add(exitCodeOf(error));
    }
  }
  return combineExitCodes(codes);
}

async function remove(
  { files, folders }: Holdall,
  entry: Entry,
  { recursive, forever }: RemoveOptions,
  signal: AbortSignal,
): Promise<Deletion> {
  const options = { trash: !forever, signal };
  if (entry.type === "file") return files.delete(entry.file.id, options).catch(explainDisabled);
  if (!recursive) {
    throw new UsageError("This is a folder. To delete it with everything in it, add --recursive.");
  }
  return folders.delete(entry.folder.id, options).catch(explainDisabled);
}

function explainDisabled(error: unknown): never {
  if (error instanceof HoldallError && error.status === 400 && /the trash is/.test(error.message)) {
    throw new UsageError(
      "The server has no trash (TRASH_DAYS=0). To delete permanently, add --forever.",
    );
  }
  throw error;
}
