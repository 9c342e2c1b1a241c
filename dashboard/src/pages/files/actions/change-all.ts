import type { FileObject, FilesChange } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries, isStatus } from "../../../app/client.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { type BulkResult, runBulk } from "./bulk-store.ts";

/** Files per request: it takes a fraction of a second, so that progress is seen. */
const CHANGED_AT_ONCE = 1_000;

export interface Change {
  readonly title: string;
  readonly change: FilesChange;
  readonly changeFolder: (id: string, options: { readonly signal: AbortSignal }) => Promise<void>;
}

export interface ChangedEntries extends BulkResult {
  /** As they are now. */
  readonly files: readonly FileObject[];
  readonly folderIds: readonly string[];
  /** Those that stay because their name is taken, with what has it. They do not count as failed. */
  readonly taken: ReadonlyMap<string, "file" | "folder">;
  /** Of replaced files. */
  readonly undoIds: readonly string[];
}

/** Makes the same change to all entries: the files in as few requests as possible, each folder in its own. */
export async function changeAll(
  entries: readonly Entry[],
  { title, change, changeFolder }: Change,
): Promise<ChangedEntries> {
  const files: FileObject[] = [];
  const folderIds: string[] = [];
  const undoIds: string[] = [];
  const taken = new Map<string, "file" | "folder">();
  const failed: Error[] = [];
  const tried = new Set<string>();
  const ids = entries.filter(isFile).map(({ id }) => id);
  const steps = [...batchesOf(ids, CHANGED_AT_ONCE), ...entries.filter(isFolder)];
  const { failure } = await runBulk(title, steps, async (step, signal) => {
    for (const id of Array.isArray(step) ? step : [step.id]) tried.add(id);
    if (Array.isArray(step)) {
      const done = await holdallWithoutRetries.files.updateMany(step, change, { signal });
      files.push(...done.files);
      if (done.undoId !== undefined) undoIds.push(done.undoId);
      for (const { id, message, takenBy } of done.failed) {
        if (takenBy === undefined) failed.push(new Error(message));
        else taken.set(id, takenBy);
      }
      return;
    }
    try {
      await changeFolder(step.id, { signal });
      folderIds.push(step.id);
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
      taken.set(step.id, "folder");
    }
  });
  const done = files.length + folderIds.length;
  const failedCount = tried.size - done - taken.size;
  return {
    ...{ files, folderIds, taken, undoIds },
    ...{ done, failed: failedCount, failure: failure ?? failed[0] },
  };
}

export function batchesOf(ids: readonly string[], size: number): string[][] {
  const batches: string[][] = [];
  for (let at = 0; at < ids.length; at += size) batches.push(ids.slice(at, at + size));
  return batches;
}
