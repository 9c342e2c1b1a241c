import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { DeleteResult, FileObject, Visibility } from "../../../../../sdk/src/holdall.ts";
import { holdall, holdallWithoutRetries, isStatus } from "../../../app/client.ts";
import { showErrorToast, showToast } from "../../../components/toast-store.ts";
import { formatCount } from "../../../text/format-count.ts";
import { offerUndo } from "../../../trash/restore.ts";
import { trashKey } from "../../../trash/trash-key.ts";
import { type Entry, isFile, isFolder, nameOf } from "../data/entry.ts";
import { moveEntries, patchFiles, refreshFolders, removeEntries } from "../data/patch-folders.ts";
import { type BulkResult, runBulk } from "./bulk-store.ts";

/** Files per request. */
const BATCH_SIZE = 100;

export interface Changes {
  rename(entry: Entry, name: string): Promise<void>;
  move(
    entries: readonly Entry[],
    folder: { readonly id: string; readonly name: string },
  ): Promise<void>;
  setVisibility(entries: readonly Entry[], visibility: Visibility): Promise<void>;
  /** To the trash, with a toast that offers to undo it, or permanently. */
  delete(entries: readonly Entry[], options: { readonly forGood: boolean }): Promise<void>;
  createFolder(path: string): Promise<void>;
}

/** All changes of files and folders. The lists update as soon as the server has confirmed them. */
export function useChanges(): Changes {
  const client = useQueryClient();
  return useMemo<Changes>(
    () => ({
      async rename(entry, name) {
        if (entry.kind === "file") {
          patchFiles(client, [await holdall.files.rename(entry.id, name)]);
        } else {
          await holdall.folders.rename(entry.id, name);
        }
        await refreshFolders(client);
      },

      async move(entries, folder) {
        const moved = new Set<string>();
        const files: FileObject[] = [];
        const result = await runBulk("Moving", entries, async ({ kind, id }, signal) => {
          if (kind === "file")
            files.push(await holdallWithoutRetries.files.move(id, folder.id, { signal }));
          else await holdallWithoutRetries.folders.move(id, folder.id, { signal });
          moved.add(id);
        });
        moveEntries(client, moved, files);
        reportResult(
          result,
          `Moved ${formatItems(result.done)} to “${folder.name || "Files"}”.`,
          "moved",
        );
        await refreshFolders(client);
      },

      async setVisibility(entries, visibility) {
        const changed: FileObject[] = [];
        const result = await runBulk("Changing visibility", entries, async (entry, signal) => {
          if (entry.kind === "folder") {
            await holdallWithoutRetries.folders.setVisibility(entry.id, visibility, { signal });
          } else {
            changed.push(
              await holdallWithoutRetries.files.setVisibility(entry.id, visibility, { signal }),
            );
          }
        });
        patchFiles(client, changed);
        reportResult(result, `Made ${formatItems(result.done)} ${visibility}.`, "changed");
        await refreshFolders(client);
      },

      async delete(entries, { forGood }) {
        const deleted = new Set<string>();
        const undoIds: string[] = [];
        const options = { trash: !forGood };
        const files = entries.filter(isFile).map(({ id }) => id);
        const steps = [...batchesOf(files), ...entries.filter(isFolder)];
        let firstRefusal: Error | undefined;
        const result = await runBulk("Deleting", steps, async (step, signal) => {
          if (Array.isArray(step)) {
            const call = holdallWithoutRetries.files.deleteMany(step, { ...options, signal });
            const done = await ignoreMissing(call);
            firstRefusal ??= noteDeleted(step, done, deleted);
            if (done?.undoId) undoIds.push(done.undoId);
          } else if ("id" in step) {
            const call = holdallWithoutRetries.folders.delete(step.id, { ...options, signal });
            const done = await ignoreMissing(call);
            deleted.add(step.id);
            if (done?.undoId) undoIds.push(done.undoId);
          }
        });
        removeEntries(client, deleted);
        const failed = entries.length - deleted.size;
        const failure = result.failure ?? firstRefusal;
        reportFailure({ done: deleted.size, failed, failure }, "deleted");
        if (deleted.size > 0) {
          const what = entries.length === 1 ? nameInQuotes(entries) : formatItems(deleted.size);
          if (forGood) showToast(`Deleted ${what} permanently.`);
          else offerUndo(client, `Moved ${what} to the trash.`, undoIds);
        }
        await Promise.all([
          refreshFolders(client),
          client.invalidateQueries({ queryKey: trashKey }),
        ]);
      },

      async createFolder(path) {
        await holdall.folders.create(path);
        await refreshFolders(client);
      },
    }),
    [client],
  );
}

const nameInQuotes = ([entry]: readonly Entry[]): string =>
  entry === undefined ? "" : `“${nameOf(entry)}”`;

const formatItems = (count: number): string => formatCount(count, "item");

function reportResult(result: BulkResult, success: string, verb: string): void {
  if (result.done > 0) showToast(success);
  reportFailure(result, verb);
}

function reportFailure({ done, failed, failure }: BulkResult, verb: string): void {
  if (failure === undefined) return;
  showErrorToast(
    failed <= 1 && done === 0
      ? failure
      : new Error(`${formatItems(failed)} couldn't be ${verb}: ${failure.message}`),
  );
}

function batchesOf(ids: readonly string[]): string[][] {
  const batches: string[][] = [];
  for (let at = 0; at < ids.length; at += BATCH_SIZE) batches.push(ids.slice(at, at + BATCH_SIZE));
  return batches;
}

/** Adds the deleted files to `deleted`, and returns the first failure. Missing files count as deleted. */
function noteDeleted(
  ids: readonly string[],
  result: DeleteResult | undefined,
  deleted: Set<string>,
): Error | undefined {
  const failed = new Map(result?.failed.map(({ id, message }) => [id, message]));
  for (const id of ids) if (!failed.has(id)) deleted.add(id);
  const [message] = failed.values();
  return message === undefined ? undefined : new Error(message);
}

async function ignoreMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}
