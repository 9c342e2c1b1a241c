import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FileObject, Visibility } from "../../../../../sdk/src/holdall.ts";
import { holdall, holdallWithoutRetries, isStatus } from "../../../app/client.ts";
import { showErrorToast, showToast } from "../../../components/toast-store.ts";
import { formatCount } from "../../../text/format-count.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
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
  delete(entries: readonly Entry[]): Promise<void>;
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

      async delete(entries) {
        const deleted = new Set<string>();
        const files = entries.filter(isFile).map(({ id }) => id);
        const steps = [...batchesOf(files), ...entries.filter(isFolder)];
        let firstRefusal: Error | undefined;
        const result = await runBulk("Deleting", steps, async (step, signal) => {
          if (Array.isArray(step)) {
            firstRefusal ??= await deleteFiles(step, deleted, signal);
          } else if ("id" in step) {
            await ignoreMissing(holdallWithoutRetries.folders.delete(step.id, { signal }));
            deleted.add(step.id);
          }
        });
        removeEntries(client, deleted);
        const failed = entries.length - deleted.size;
        const failure = result.failure ?? firstRefusal;
        reportResult(
          { done: deleted.size, failed, failure },
          `Deleted ${formatItems(deleted.size)}.`,
          "deleted",
        );
        await refreshFolders(client);
      },

      async createFolder(path) {
        await holdall.folders.create(path);
        await refreshFolders(client);
      },
    }),
    [client],
  );
}

const formatItems = (count: number): string => formatCount(count, "item");

function reportResult({ done, failed, failure }: BulkResult, success: string, verb: string): void {
  if (done > 0) showToast(success);
  if (failure !== undefined) {
    showErrorToast(
      failed <= 1 && done === 0
        ? failure
        : new Error(`${formatItems(failed)} couldn't be ${verb}: ${failure.message}`),
    );
  }
}

function batchesOf(ids: readonly string[]): string[][] {
  const batches: string[][] = [];
  for (let at = 0; at < ids.length; at += BATCH_SIZE) batches.push(ids.slice(at, at + BATCH_SIZE));
  return batches;
}

/** Deletes files, adds them to `gone`, and returns the first failure. Missing files count as deleted. */
async function deleteFiles(
  ids: readonly string[],
  deleted: Set<string>,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const result = await ignoreMissing(holdallWithoutRetries.files.deleteMany(ids, { signal }));
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
