import type { Holdall } from "../../sdk/src/holdall.ts";
import { UsageError } from "../commands/usage-error.ts";
import { combineExitCodes, endsEverything, exitCodeOf } from "./exit-codes.ts";
import { type Entry, requireEntry } from "./find-entry.ts";
import type { RemoteSession } from "./run-remote.ts";

/** `rm KEY… [--recursive]`: deletes each file, and each folder with everything in it. */
export async function removeRemote(
  { holdall, output, signal }: RemoteSession,
  keys: readonly string[],
  isRecursive: boolean,
): Promise<number> {
  if (keys.length === 0) throw new UsageError("`rm` takes the keys of files or folders.");
  const codes = new Set<number>();
  for (const key of keys) {
    try {
      const entry = await requireEntry(holdall, key, signal);
      await remove(holdall, entry, isRecursive, signal);
      const { id, key: removed } = entry.type === "file" ? entry.file : entry.folder;
      await output.print(
        { type: "deleted", kind: entry.type, id, key: removed },
        `Deleted ${removed}${entry.type === "folder" ? "/" : ""}`,
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
  isRecursive: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (entry.type === "file") {
    await files.delete(entry.file.id, { signal });
    return;
  }
  if (!isRecursive) {
    throw new UsageError("This is a folder. To delete it with everything in it, add --recursive.");
  }
  await folders.delete(entry.folder.id, { signal });
}
