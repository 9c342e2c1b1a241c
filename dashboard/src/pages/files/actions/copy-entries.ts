import type { QueryClient } from "@tanstack/react-query";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../../../app/client.ts";
import { showErrorToast, showToast } from "../../../components/toast-store.ts";
import { formatCount } from "../../../text/format-count.ts";
import { trashKey } from "../../../trash/trash-key.ts";
import { readTrashDays } from "../../../trash/use-trash-days.ts";
import { type Entry, isFile, isFolder, nameOf } from "../data/entry.ts";
import { patchFiles, refreshFolders, removeEntries } from "../data/patch-folders.ts";
import { runBulk } from "./bulk-store.ts";
import { once } from "./once.ts";

/** Files per request: every server allows that many. */
const COPIED_AT_ONCE = 1_000;

/** Where copies go; undefined: next to their originals. */
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
  const copied: Copied = { files: [], folderIds: [] };
  const { failure } = await runBulk("Copying", stepsOf(entries), async (step, signal) => {
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
  });
  if (failure !== undefined) showErrorToast(failure);
  const count = copied.files.length + copied.folderIds.length;
  if (count === 0) return;
  patchFiles(client, copied.files);
  const [first] = entries;
  const what =
    entries.length === 1 && first !== undefined ? `“${nameOf(first)}”` : formatCount(count, "item");
  const where = target === undefined ? "" : ` to “${target.name || "Files"}”`;
  const mayUndo = ((await readTrashDays(client)) ?? 0) > 0;
  const run = () => void removeCopies(client, copied).catch(showErrorToast);
  showToast(
    `${target === undefined ? "Duplicated" : "Copied"} ${what}${where}.`,
    mayUndo ? { label: "Undo", undoes: true, run } : undefined,
  );
  await refreshFolders(client);
}

function stepsOf(entries: readonly Entry[]): (string[] | { readonly id: string })[] {
  const ids = entries.filter(isFile).map(({ id }) => id);
  const batches: string[][] = [];
  for (let at = 0; at < ids.length; at += COPIED_AT_ONCE) {
    batches.push(ids.slice(at, at + COPIED_AT_ONCE));
  }
  return [...batches, ...entries.filter(isFolder)];
}

async function removeCopies(client: QueryClient, { files, folderIds }: Copied): Promise<void> {
  const removed = new Set<string>();
  const ids = files.map(({ id }) => id);
  const steps: (string[] | string)[] = [...folderIds];
  for (let at = 0; at < ids.length; at += 100) steps.push(ids.slice(at, at + 100));
  const { failure } = await runBulk("Undoing", steps, async (step, signal) => {
    const options = { trash: true, signal } as const;
    if (Array.isArray(step)) await holdallWithoutRetries.files.deleteMany(step, options);
    else await holdallWithoutRetries.folders.delete(step, options);
    for (const id of Array.isArray(step) ? step : [step]) removed.add(id);
  });
  removeEntries(client, removed);
  if (failure !== undefined) showErrorToast(failure);
  else showToast("Moved the copies to the trash.");
  await Promise.all([refreshFolders(client), client.invalidateQueries({ queryKey: trashKey })]);
}
