import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FileObject, Visibility } from "../../../../../sdk/src/holdall.ts";
import { holdall, holdallOnce, isStatus } from "../../../app/client.ts";
import { say, sayFailure } from "../../../components/toast-store.ts";
import { countText } from "../../../text/count.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { dropEntries, moveEntries, patchFiles, refreshFolders } from "../data/patch-folders.ts";
import { type BulkResult, runBulk } from "./bulk-store.ts";

/** Files per request. */
const BATCH = 100;

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
          if (kind === "file") files.push(await holdallOnce.files.move(id, folder.id, { signal }));
          else await holdallOnce.folders.move(id, folder.id, { signal });
          moved.add(id);
        });
        moveEntries(client, moved, files);
        tell(result, `Moved ${itemsText(result.done)} to “${folder.name || "Files"}”.`, "moved");
        await refreshFolders(client);
      },

      async setVisibility(entries, visibility) {
        const changed: FileObject[] = [];
        const result = await runBulk("Changing visibility", entries, async (entry, signal) => {
          if (entry.kind === "folder") {
            await holdallOnce.folders.setVisibility(entry.id, visibility, { signal });
          } else {
            changed.push(await holdallOnce.files.setVisibility(entry.id, visibility, { signal }));
          }
        });
        patchFiles(client, changed);
        tell(result, `Made ${itemsText(result.done)} ${visibility}.`, "changed");
        await refreshFolders(client);
      },

      async delete(entries) {
        const gone = new Set<string>();
        const files = entries.filter(isFile).map(({ id }) => id);
        const steps = [...batchesOf(files), ...entries.filter(isFolder)];
        let refused: Error | undefined;
        const result = await runBulk("Deleting", steps, async (step, signal) => {
          if (Array.isArray(step)) {
            refused ??= await deleteFiles(step, gone, signal);
          } else if ("id" in step) {
            await ignoreMissing(holdallOnce.folders.delete(step.id, { signal }));
            gone.add(step.id);
          }
        });
        dropEntries(client, gone);
        const failed = entries.length - gone.size;
        const failure = result.failure ?? refused;
        tell({ done: gone.size, failed, failure }, `Deleted ${itemsText(gone.size)}.`, "deleted");
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

const itemsText = (count: number): string => countText(count, "item");

function tell({ done, failed, failure }: BulkResult, success: string, verb: string): void {
  if (done > 0) say(success);
  if (failure !== undefined) {
    sayFailure(
      failed <= 1 && done === 0
        ? failure
        : new Error(`${itemsText(failed)} couldn't be ${verb}: ${failure.message}`),
    );
  }
}

function batchesOf(ids: readonly string[]): string[][] {
  const batches: string[][] = [];
  for (let at = 0; at < ids.length; at += BATCH) batches.push(ids.slice(at, at + BATCH));
  return batches;
}

/** Deletes files, adds them to `gone`, and returns the first failure. Missing files count as deleted. */
async function deleteFiles(
  ids: readonly string[],
  gone: Set<string>,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const result = await ignoreMissing(holdallOnce.files.deleteMany(ids, { signal }));
  const failed = new Map(result?.failed.map(({ id, message }) => [id, message]));
  for (const id of ids) if (!failed.has(id)) gone.add(id);
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
