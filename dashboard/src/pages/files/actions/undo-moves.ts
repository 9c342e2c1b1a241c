import type { QueryClient } from "@tanstack/react-query";
import { holdallWithoutRetries } from "../../../app/client.ts";
import { showErrorToast, showToast } from "../../../components/toast-store.ts";
import { describeFailed } from "../../../trash/describe-restore.ts";
import { trashKey } from "../../../trash/trash-key.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { refreshFolders } from "../data/patch-folders.ts";
import { runBulk } from "./bulk-store.ts";
import { batchesOf } from "./change-all.ts";

const MOVED_AT_ONCE = 1_000;

/**
 * Moves and renames entries back to where these records say, and then restores the files that they had
 * replaced. Says what happened.
 */
export async function undoMoves(
  client: QueryClient,
  before: readonly Entry[],
  undoIds: readonly string[],
): Promise<void> {
  const refused: Error[] = [];
  const { failure } = await runBulk(
    "Undoing",
    [...backSteps(before), ...undoIds.map(restoreStep)],
    async (step, signal) => {
      const refusal = await step(signal);
      if (refusal !== undefined) refused.push(new Error(refusal));
    },
  );
  const error = failure ?? refused[0];
  if (error !== undefined) showErrorToast(error);
  else showToast("Undone.");
  await Promise.all([refreshFolders(client), client.invalidateQueries({ queryKey: trashKey })]);
}

/** Resolves with why it could not be done; undefined: it is done. */
type Step = (signal: AbortSignal) => Promise<string | undefined>;

function backSteps(before: readonly Entry[]): Step[] {
  const steps: Step[] = [];
  const byFolder = Map.groupBy(before.filter(isFile), ({ file }) => file.folderId);
  for (const [folderId, entries] of byFolder) {
    const names = new Map(entries.map(({ id, file }) => [id, file.name]));
    for (const ids of batchesOf([...names.keys()], MOVED_AT_ONCE)) {
      steps.push(async (signal) => {
        const options = { signal };
        const done = await holdallWithoutRetries.files.updateMany(ids, { folderId }, options);
        // They were given other names to keep both files.
        for (const { id, name } of done.files) {
          const old = names.get(id) ?? name;
          if (old !== name) await holdallWithoutRetries.files.rename(id, old, options);
        }
        return done.failed[0]?.message;
      });
    }
  }
  for (const { id, folder } of before.filter(isFolder)) {
    const { name, parentId } = folder;
    steps.push(async (signal) => {
      const place = parentId === null ? { name } : { name, parentId };
      await holdallWithoutRetries.folders.update(id, place, { signal });
      return undefined;
    });
  }
  return steps;
}

const restoreStep =
  (undoId: string): Step =>
  async (signal) => {
    return describeFailed(await holdallWithoutRetries.trash.restore({ undoId }, { signal }));
  };
