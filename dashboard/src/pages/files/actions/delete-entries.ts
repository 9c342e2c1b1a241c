import type { QueryClient } from "@tanstack/react-query";
import { type DeleteResult, HoldallError } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries, isStatus } from "../../../app/connection/client.ts";
import { batchesOf } from "../../../operations/batches-of.ts";
import { operate } from "../../../operations/operate.ts";
import { readDeletedAtOnce } from "../../../trash/read-deleted-at-once.ts";
import { undoDeletions } from "../../../trash/restore.ts";
import { trashKey } from "../../../trash/trash-key.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { refreshFolders, removeEntries } from "../data/patch-folders.ts";
import { sizeOfStep } from "./change-all.ts";
import type { DeleteOptions } from "./changes.ts";
import { failureOf, formatItems, quoteEntries } from "./describe-change.ts";
import { endOwnChanges, noteOwnChanges } from "./own-changes.ts";

/** Moves entries to the trash and offers to undo that, or deletes them permanently. */
export async function deleteEntries(
  client: QueryClient,
  entries: readonly Entry[],
  { isPermanent, onTrashOff }: DeleteOptions,
): Promise<void> {
  const what = quoteEntries(entries);
  const title = isPermanent ? `Deleting ${what} permanently` : `Moving ${what} to the trash`;
  await operate(title, async ({ run }) => {
    const deleted = new Set<string>();
    const undoIds: string[] = [];
    const refused: Error[] = [];
    const files = entries.filter(isFile).map(({ id }) => id);
    const batches = batchesOf(files, await readDeletedAtOnce(client, files.length));
    const steps = [...batches, ...entries.filter(isFolder)];
    const deleteStep = async (step: (typeof steps)[number]) => {
      const options = { trash: !isPermanent };
      if (Array.isArray(step)) {
        const done = await ignoreMissing(holdallWithoutRetries.files.deleteMany(step, options));
        refused.push(...noteDeleted(step, done, deleted));
        if (done?.undoId) undoIds.push(done.undoId);
      } else {
        const done = await ignoreMissing(holdallWithoutRetries.folders.delete(step.id, options));
        deleted.add(step.id);
        if (done?.undoId) undoIds.push(done.undoId);
      }
    };
    noteOwnChanges(entries);
    const result = await run(steps, deleteStep, { sizeOf: sizeOfStep });
    endOwnChanges(entries, deleted);
    removeEntries(client, deleted);
    if (deleted.size === 0 && !isPermanent && isTrashOff(result.failure)) {
      onTrashOff();
      return {};
    }
    const counts = { done: deleted.size, failed: result.failed + refused.length };
    const failure = failureOf({ ...counts, failure: result.failure ?? refused[0] }, "deleted");
    if (deleted.size === 0) return { failure };
    const gone = entries.length === 1 ? what : formatItems(deleted.size);
    if (isPermanent) return { failure, text: `Deleted ${gone} permanently.` };
    const undo = undoIds.length === 0 ? undefined : () => void undoDeletions(client, undoIds);
    return { failure, undo, text: `Moved ${gone} to the trash.` };
  });
  await Promise.all([refreshFolders(client), client.invalidateQueries({ queryKey: trashKey })]);
}

const isTrashOff = (failure: Error | undefined): boolean =>
  failure instanceof HoldallError && failure.code === "trash_disabled";

/** Adds the deleted files to `deleted`, and returns why others were not. Missing files count as deleted. */
function noteDeleted(
  ids: readonly string[],
  result: DeleteResult | undefined,
  deleted: Set<string>,
): Error[] {
  const failed = new Map(result?.failed.map(({ id, message }) => [id, message]));
  for (const id of ids) if (!failed.has(id)) deleted.add(id);
  return [...failed.values()].map((message) => new Error(message));
}

async function ignoreMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}
