import type { QueryClient } from "@tanstack/react-query";
import { MAX_CHANGED_FILES } from "../../../../../contract/max-changed-files.ts";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../../../app/connection/client.ts";
import { batchesOf } from "../../../operations/batches-of.ts";
import { operate } from "../../../operations/operate.ts";
import { describeFailed } from "../../../trash/describe-restore.ts";
import { trashKey } from "../../../trash/trash-key.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { refreshFolders } from "../data/patch-folders.ts";
import { formatItems, quoteEntries } from "./describe-change.ts";

export interface Moves {
  readonly before: readonly Entry[];
  /** The files among them, as they are since. */
  readonly after: readonly FileObject[];
  /** The undo ids of files that were replaced. */
  readonly undoIds: readonly string[];
}

/**
 * Moves and renames entries back to where they were, and then restores the files that they had replaced.
 * Says what happened.
 */
export async function undoMoves(client: QueryClient, moves: Moves): Promise<void> {
  const title = `Moving ${quoteEntries(moves.before)} back`;
  await operate(title, async ({ run }) => {
    const refused: Error[] = [];
    let moved = 0;
    const steps = [...backSteps(moves), ...moves.undoIds.map(restoreStep)];
    const result = await run(
      steps,
      async (step) => {
        const done = await step.run();
        moved += done.moved;
        if (done.refusal !== undefined) refused.push(new Error(done.refusal));
      },
      { sizeOf: ({ size }) => size },
    );
    const failure = result.failure ?? refused[0];
    const isWhole = result.done === steps.reduce((sum, { size }) => sum + size, 0);
    if (isWhole && failure === undefined) return { text: "Undone." };
    return { failure, text: moved === 0 ? undefined : `Moved ${formatItems(moved)} back.` };
  });
  await Promise.all([refreshFolders(client), client.invalidateQueries({ queryKey: trashKey })]);
}

interface Step {
  /** Entries. */
  readonly size: number;
  readonly run: () => Promise<StepResult>;
}

interface StepResult {
  /** Entries that are back. */
  readonly moved: number;
  /** Why not everything could be done; undefined: it is done. */
  readonly refusal?: string | undefined;
}

function backSteps({ before, after }: Moves): Step[] {
  const steps: Step[] = [];
  const names = new Map(after.map(({ id, name }) => [id, name]));
  const files = before.filter(isFile);
  const keepsName = ({ id, file }: (typeof files)[number]) => names.get(id) === file.name;
  const byFolder = Map.groupBy(files.filter(keepsName), ({ file }) => file.folderId);
  for (const [folderId, entries] of byFolder) {
    const all = entries.map(({ id }) => id);
    for (const ids of batchesOf(all, MAX_CHANGED_FILES)) {
      steps.push({
        size: ids.length,
        async run() {
          const done = await holdallWithoutRetries.files.updateMany(ids, { folderId });
          return { moved: done.files.length, refusal: done.failed[0]?.message };
        },
      });
    }
  }
  // The name that one has now may be taken in its old folder, so it gets both at once.
  for (const { id, file } of files.filter((entry) => !keepsName(entry))) {
    const { folderId, name } = file;
    steps.push({
      size: 1,
      async run() {
        await holdallWithoutRetries.files.update(id, { folderId, name });
        return { moved: 1 };
      },
    });
  }
  for (const { id, folder } of before.filter(isFolder)) {
    const { name, parentId } = folder;
    steps.push({
      size: 1,
      async run() {
        const place = parentId === null ? { name } : { name, parentId };
        await holdallWithoutRetries.folders.update(id, place);
        return { moved: 1 };
      },
    });
  }
  return steps;
}

/** Restores what the moves have replaced. */
const restoreStep = (undoId: string): Step => ({
  size: 1,
  async run() {
    const result = await holdallWithoutRetries.trash.restore({ undoId });
    return { moved: 0, refusal: describeFailed(result) };
  },
});
