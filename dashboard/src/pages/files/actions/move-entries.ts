import type { QueryClient } from "@tanstack/react-query";
import type { FilesChange } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../../../app/connection/client.ts";
import { operate, type Work } from "../../../operations/operate.ts";
import type { Outcome } from "../../../operations/operations.ts";
import type { BulkResult } from "../../../operations/run-steps.ts";
import { type Entry, isFile, nameOf } from "../data/entry.ts";
import { moveEntries as moveInLists, refreshFolders } from "../data/patch-folders.ts";
import { type ChangedEntries, changeAll, countTakenAsFailed, type Taken } from "./change-all.ts";
import { type Decision, decideConflicts } from "./conflict-question.ts";
import { failureOf, formatItems, quoteEntries } from "./describe-change.ts";
import { endOwnChanges, noteOwnChanges } from "./own-changes.ts";
import { deletesReplaced } from "./replace-files.ts";
import { undoMoves } from "./undo-moves.ts";

export interface MoveTarget {
  readonly id: string;
  readonly name: string;
}

/**
 * Moves entries to a folder. Asks about those whose names are taken there, says what happened, and offers
 * to undo it.
 */
export async function moveEntries(
  client: QueryClient,
  entries: readonly Entry[],
  folder: MoveTarget,
): Promise<void> {
  const title = `Moving ${quoteEntries(entries)} to “${folder.name || "Files"}”`;
  await operate(title, async (work) => {
    const move: Move = { client, work, folder };
    const first = await moveAll(move, entries, { onConflict: "refuse" });
    const results = [first];
    if (first.taken.size > 0 && !work.signal.aborted) {
      work.runAgain(first.taken.size);
      const isPermanent = await deletesReplaced(client);
      const decisions = await work.whileAsking(() =>
        decide(entries, first.taken, { folder, isPermanent }),
      );
      for (const [decision, decided] of decisions) {
        if (decision === "skip") continue;
        const trash = decision === "replace" ? !isPermanent : undefined;
        const result = await moveAll(move, decided, { onConflict: decision, trash });
        results.push(countTakenAsFailed(result));
      }
    }
    return outcomeOf(move, entries, results);
  });
  await refreshFolders(client);
}

interface Move {
  readonly client: QueryClient;
  readonly work: Work;
  readonly folder: MoveTarget;
}

function outcomeOf(
  { client, folder }: Move,
  entries: readonly Entry[],
  results: readonly ChangedEntries[],
): Outcome {
  const failure = failureOf(sumOf(results), "moved");
  const after = results.flatMap(({ files }) => files);
  const ids = new Set([
    ...after.map(({ id }) => id),
    ...results.flatMap(({ folderIds }) => folderIds),
  ]);
  if (ids.size === 0) return { failure };
  const before = entries.filter(({ id }) => ids.has(id));
  const undoIds = results.flatMap((result) => result.undoIds);
  return {
    failure,
    text: `Moved ${formatItems(ids.size)} to “${folder.name || "Files"}”.`,
    undo: () => void undoMoves(client, { before, after, undoIds }),
  };
}

interface Handling extends Pick<FilesChange, "trash"> {
  readonly onConflict: Exclude<Decision, "skip"> | "refuse";
}

async function moveAll(
  { client, work, folder }: Move,
  entries: readonly Entry[],
  { onConflict, trash }: Handling,
): Promise<ChangedEntries> {
  noteOwnChanges(entries);
  const result = await changeAll(work, entries, {
    change: { folderId: folder.id, onConflict, trash },
    async changeFolder(id) {
      const rename = onConflict === "keepBoth" ? { onConflict } : {};
      const change = { parentId: folder.id, ...rename };
      await holdallWithoutRetries.folders.update(id, change);
    },
  });
  const moved = new Set([...result.folderIds, ...result.files.map(({ id }) => id)]);
  endOwnChanges(entries, moved);
  moveInLists(client, moved, result.files);
  return result;
}

/** The entries whose names are taken, by the user's decision about them. */
async function decide(
  entries: readonly Entry[],
  taken: ReadonlyMap<string, Taken>,
  { folder, isPermanent }: { readonly folder: MoveTarget; readonly isPermanent: boolean },
): Promise<Map<Decision, Entry[]>> {
  const conflicts = entries.filter(({ id }) => taken.has(id));
  const decisions = await decideConflicts(
    conflicts.map((entry) => ({
      name: nameOf(entry),
      folder: folder.name || "Files",
      mayReplace: isFile(entry) && taken.get(entry.id)?.by === "file",
      isPermanent,
    })),
  );
  const byDecision = new Map<Decision, Entry[]>();
  for (const [at, entry] of conflicts.entries()) {
    const decision = decisions[at] ?? "skip";
    byDecision.set(decision, [...(byDecision.get(decision) ?? []), entry]);
  }
  return byDecision;
}

const sumOf = (results: readonly ChangedEntries[]): BulkResult => ({
  done: results.reduce((sum, { done }) => sum + done, 0),
  failed: results.reduce((sum, { failed }) => sum + failed, 0),
  failure: results.find(({ failure }) => failure !== undefined)?.failure,
});
