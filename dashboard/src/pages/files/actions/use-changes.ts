import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type {
  DeleteResult,
  FileObject,
  FilesChange,
  Visibility,
} from "../../../../../sdk/src/holdall.ts";
import { holdall, holdallWithoutRetries, isStatus } from "../../../app/client.ts";
import { showErrorToast, showToast } from "../../../components/toast-store.ts";
import { formatCount } from "../../../text/format-count.ts";
import { offerUndo } from "../../../trash/restore.ts";
import { trashKey } from "../../../trash/trash-key.ts";
import { type Entry, isFile, isFolder, nameOf } from "../data/entry.ts";
import { moveEntries, patchFiles, refreshFolders, removeEntries } from "../data/patch-folders.ts";
import { type BulkResult, runBulk } from "./bulk-store.ts";
import type { CopyTarget } from "./copy-entries.ts";

/** Files per request for a deletion: every server allows that many. */
const DELETED_AT_ONCE = 100;
/** And for other changes: a request takes a fraction of a second, so that progress is seen. */
const CHANGED_AT_ONCE = 1_000;

export interface Changes {
  rename(entry: Entry, name: string): Promise<void>;
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
        const { files, ...result } = await changeAll(entries, {
          title: "Moving",
          change: { folderId: folder.id },
          async changeFolder(id, options) {
            await holdallWithoutRetries.folders.move(id, folder.id, options);
            moved.add(id);
          },
        });
        for (const { id } of files) moved.add(id);
        moveEntries(client, moved, files);
        reportResult(
          result,
          `Moved ${formatItems(result.done)} to “${folder.name || "Files"}”.`,
          "moved",
        );
        await refreshFolders(client);
      },

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
        reportResult(result, `Made ${formatItems(result.done)} ${visibility}.`, "changed");
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

function batchesOf(ids: readonly string[], size: number): string[][] {
  const batches: string[][] = [];
  for (let at = 0; at < ids.length; at += size) batches.push(ids.slice(at, at + size));
  return batches;
}

interface Change {
  readonly title: string;
  readonly change: FilesChange;
  readonly changeFolder: (id: string, options: { readonly signal: AbortSignal }) => Promise<void>;
}

/** Makes the same change to all entries: the files in as few requests as possible, each folder in its own. */
async function changeAll(
  entries: readonly Entry[],
  { title, change, changeFolder }: Change,
): Promise<BulkResult & { readonly files: readonly FileObject[] }> {
  const files: FileObject[] = [];
  const failed: Error[] = [];
  const tried = new Set<string>();
  const ids = entries.filter(isFile).map(({ id }) => id);
  const folders = entries.filter(isFolder);
  const steps = [...batchesOf(ids, CHANGED_AT_ONCE), ...folders];
  let changedFolders = 0;
  const { failure } = await runBulk(title, steps, async (step, signal) => {
    for (const id of Array.isArray(step) ? step : [step.id]) tried.add(id);
    if (Array.isArray(step)) {
      const done = await holdallWithoutRetries.files.updateMany(step, change, { signal });
      files.push(...done.files);
      failed.push(...done.failed.map(({ message }) => new Error(message)));
    } else {
      await changeFolder(step.id, { signal });
      changedFolders += 1;
    }
  });
  const done = files.length + changedFolders;
  return { files, done, failed: tried.size - done, failure: failure ?? failed[0] };
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
