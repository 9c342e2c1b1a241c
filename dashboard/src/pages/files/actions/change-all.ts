import { MAX_CHANGED_FILES } from "../../../../../contract/max-changed-files.ts";
import { HoldallError } from "../../../../../sdk/src/connection/error.ts";
import type { FileObject, FilesChange } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../../../app/connection/client.ts";
import { batchesOf } from "../../../operations/batches-of.ts";
import type { Work } from "../../../operations/operate.ts";
import type { BulkResult } from "../../../operations/run-steps.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { replaceFiles } from "./replace-files.ts";

export interface Change {
  readonly change: FilesChange;
  readonly changeFolder: (id: string) => Promise<void>;
}

/** Why an entry stays: its name is taken. */
export interface Taken {
  readonly by: "file" | "folder";
  readonly message: string;
}

export interface ChangedEntries extends BulkResult {
  /** The changed entries, as they are now. */
  readonly files: readonly FileObject[];
  readonly folderIds: readonly string[];
  /** The entries that stay because their name is taken. They do not count as failed. */
  readonly taken: ReadonlyMap<string, Taken>;
  /** The undo ids of replaced files. */
  readonly undoIds: readonly string[];
}

/**
 * Makes the same change to all entries: the files in as few requests as possible, because each is one transaction, and
 * each folder in its own.
 */
export async function changeAll(
  { run }: Work,
  entries: readonly Entry[],
  { change, changeFolder }: Change,
): Promise<ChangedEntries> {
  const files: FileObject[] = [];
  const folderIds: string[] = [];
  const undoIds: string[] = [];
  const taken = new Map<string, Taken>();
  const failed: Error[] = [];
  const ids = entries.filter(isFile).map(({ id }) => id);
  const steps = [...batchesOf(ids, MAX_CHANGED_FILES), ...entries.filter(isFolder)];
  const runStep = async (step: (typeof steps)[number]): Promise<void> => {
    if (Array.isArray(step)) {
      const call = holdallWithoutRetries.files.updateMany(step, change);
      const done = await (change.onConflict === "replace" ? replaceFiles(call) : call);
      files.push(...done.files);
      if (done.undoId !== undefined) undoIds.push(done.undoId);
      for (const { id, message, takenBy } of done.failed) {
        if (id === undefined || takenBy === undefined) failed.push(new Error(message));
        else taken.set(id, { by: takenBy, message });
      }
      return;
    }
    try {
      await changeFolder(step.id);
      folderIds.push(step.id);
    } catch (error) {
      if (!(error instanceof HoldallError) || error.status !== 409) throw error;
      taken.set(step.id, { by: "folder", message: error.message });
    }
  };
  const result = await run(steps, runStep, { sizeOf: sizeOfStep });
  return {
    files,
    folderIds,
    taken,
    undoIds,
    done: files.length + folderIds.length,
    failed: result.failed + failed.length,
    failure: result.failure ?? failed[0],
  };
}

/** The result with the entries whose name is taken among the failed ones: nobody is asked about them again. */
export function countTakenAsFailed({ taken, ...result }: ChangedEntries): ChangedEntries {
  const [first] = taken.values();
  const failure = result.failure ?? (first && new Error(first.message));
  return { ...result, taken: new Map(), failed: result.failed + taken.size, failure };
}

/** A step changes a batch of files, or one folder. */
export const sizeOfStep = (step: readonly string[] | Entry): number =>
  "length" in step ? step.length : 1;
