import type { QueryClient } from "@tanstack/react-query";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../../../app/connection/client.ts";
import { batchesOf } from "../../../operations/batches-of.ts";
import { once } from "../../../operations/once.ts";
import { operate } from "../../../operations/operate.ts";
import { readDeletedAtOnce } from "../../../trash/read-deleted-at-once.ts";
import { trashKey } from "../../../trash/trash-key.ts";
import { readTrashDays } from "../../../trash/use-trash-days.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { patchFiles, refreshFolders, removeEntries } from "../data/patch-folders.ts";
import { sizeOfStep } from "./change-all.ts";
import { failureOf, formatItems, quoteEntries } from "./describe-change.ts";

/** Files per request. It may take the time of copying their bytes, so it is smaller than the server allows. */
const COPIED_AT_ONCE = 1_000;

/** The folder of the copies; undefined: next to their originals. */
export type CopyTarget = { readonly id: string; readonly name: string } | undefined;

interface Copied {
  readonly files: FileObject[];
  readonly folderIds: string[];
}

/**
 * Copies entries under free names: the files in as few requests as possible, each folder in its own. Says
 * what happened, and offers to move the copies to the trash.
 */
export async function copyEntries(
  client: QueryClient,
  entries: readonly Entry[],
  target: CopyTarget,
): Promise<void> {
  const where = target === undefined ? "" : ` to “${target.name || "Files"}”`;
  const [doing, did] = target === undefined ? ["Duplicating", "Duplicated"] : ["Copying", "Copied"];
  await operate(`${doing} ${quoteEntries(entries)}${where}`, async ({ run }) => {
    const copied: Copied = { files: [], folderIds: [] };
    const ids = entries.filter(isFile).map(({ id }) => id);
    const steps = [...batchesOf(ids, COPIED_AT_ONCE), ...entries.filter(isFolder)];
    const copyStep = async (step: (typeof steps)[number], signal: AbortSignal) => {
      const options = { onConflict: "keepBoth", signal } as const;
      if (Array.isArray(step)) {
        const call = holdallWithoutRetries.files.copy(step, { ...options, folderId: target?.id });
        copied.files.push(...(await once(call)));
      } else {
        const call = holdallWithoutRetries.folders.copy(step.id, {
          ...options,
          parentId: target?.id,
        });
        copied.folderIds.push((await once(call)).folder.id);
      }
    };
    const options = { sizeOf: sizeOfStep, isAborted: true };
    const failure = failureOf(await run(steps, copyStep, options), "copied");
    const count = copied.files.length + copied.folderIds.length;
    if (count === 0) return { failure };
    patchFiles(client, copied.files);
    const what = entries.length === 1 ? quoteEntries(entries) : formatItems(count);
    const mayUndo = ((await readTrashDays(client)) ?? 0) > 0;
    const undo = mayUndo ? () => void removeCopies(client, copied) : undefined;
    return { failure, undo, text: `${did} ${what}${where}.` };
  });
  await refreshFolders(client);
}

async function removeCopies(client: QueryClient, { files, folderIds }: Copied): Promise<void> {
  await operate("Moving the copies to the trash", async ({ run }) => {
    const removed = new Set<string>();
    const batches = batchesOf(
      files.map(({ id }) => id),
      await readDeletedAtOnce(client, files.length),
    );
    const steps: (string[] | string)[] = [...folderIds, ...batches];
    const removeStep = async (step: string[] | string) => {
      const options = { trash: true };
      if (Array.isArray(step)) await holdallWithoutRetries.files.deleteMany(step, options);
      else await holdallWithoutRetries.folders.delete(step, options);
      for (const id of Array.isArray(step) ? step : [step]) removed.add(id);
    };
    const sizeOf = (step: string[] | string) => (Array.isArray(step) ? step.length : 1);
    const { failure } = await run(steps, removeStep, { sizeOf });
    removeEntries(client, removed);
    if (removed.size === files.length + folderIds.length) {
      return { text: "Moved the copies to the trash." };
    }
    if (removed.size === 0) return { failure };
    return { failure, text: `Moved ${formatItems(removed.size)} to the trash.` };
  });
  await Promise.all([refreshFolders(client), client.invalidateQueries({ queryKey: trashKey })]);
}
