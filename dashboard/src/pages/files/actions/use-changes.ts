import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { DeleteResult, Visibility } from "../../../../../sdk/src/holdall.ts";
import { holdall, holdallWithoutRetries, isStatus } from "../../../app/client.ts";
import { showToast } from "../../../components/toast-store.ts";
import { offerUndo } from "../../../trash/restore.ts";
import { trashKey } from "../../../trash/trash-key.ts";
import { type Entry, isFile, isFolder, nameOf } from "../data/entry.ts";
import { patchFiles, refreshFolders, removeEntries } from "../data/patch-folders.ts";
import { runBulk } from "./bulk-store.ts";
import { batchesOf, changeAll } from "./change-all.ts";
import type { CopyTarget } from "./copy-entries.ts";
import { moveEntries } from "./move-entries.ts";
import { renameEntry } from "./rename-entry.ts";
import { formatItems, reportFailure } from "./report-result.ts";

/** Files per request for a deletion: every server allows that many. */
const DELETED_AT_ONCE = 100;

export interface Changes {
  /** Asks if the name is taken, and rejects if it is to stay. */
  rename(entry: Entry, name: string): Promise<void>;
  /** Asks about those whose names are taken. */
  move(
    entries: readonly Entry[],
    folder: { readonly id: string; readonly name: string },
  ): Promise<void>;
  /** Under free names. Without a folder, next to their originals. */
  copy(entries: readonly Entry[], folder: CopyTarget): Promise<void>;
  setVisibility(entries: readonly Entry[], visibility: Visibility): Promise<void>;
  /** To the trash, with a toast that offers to undo it, or permanently. */
  delete(entries: readonly Entry[], options: { readonly forGood: boolean }): Promise<void>;
  /** Resolves with the key of the new folder. */
  createFolder(path: string): Promise<string>;
}

/** All changes of files and folders. The lists update as soon as the server has confirmed them. */
export function useChanges(): Changes {
  const client = useQueryClient();
  return useMemo<Changes>(
    () => ({
      rename: (entry, name) => renameEntry(client, entry, name),
      move: (entries, folder) => moveEntries(client, entries, folder),

      async copy(entries, folder) {
        const { copyEntries } = await import("./copy-entries.ts");
        await copyEntries(client, entries, folder);
      },

      async setVisibility(entries, visibility) {
        const { files, ...result } = await changeAll(entries, {
          title: "Changing visibility",
          change: { visibility },
          async changeFolder(id, options) {
            await holdallWithoutRetries.folders.setVisibility(id, visibility, options);
          },
        });
        patchFiles(client, files);
        if (result.done > 0) showToast(`Made ${formatItems(result.done)} ${visibility}.`);
        reportFailure(result, "changed");
        await refreshFolders(client);
      },

      async delete(entries, { forGood }) {
        const deleted = new Set<string>();
        const undoIds: string[] = [];
        const options = { trash: !forGood };
        const files = entries.filter(isFile).map(({ id }) => id);
        const steps = [...batchesOf(files, DELETED_AT_ONCE), ...entries.filter(isFolder)];
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
        const { key } = await holdall.folders.create(path);
        await refreshFolders(client);
        return key;
      },
    }),
    [client],
  );
}

const nameInQuotes = ([entry]: readonly Entry[]): string =>
  entry === undefined ? "" : `“${nameOf(entry)}”`;

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
