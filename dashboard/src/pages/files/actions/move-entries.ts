import type { QueryClient } from "@tanstack/react-query";
import type { FilesChange } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../../../app/client.ts";
import { showToast } from "../../../components/toast-store.ts";
import { type Entry, isFile, nameOf } from "../data/entry.ts";
import { moveEntries as moveInLists, refreshFolders } from "../data/patch-folders.ts";
import { type ChangedEntries, changeAll, countTakenAsFailed, type Taken } from "./change-all.ts";
import { type Decision, decideConflicts } from "./conflict-question.ts";
import { deletesReplaced } from "./replace-files.ts";
import { formatItems, reportFailure } from "./report-result.ts";
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
  const first = await moveAll(client, entries, folder, { onConflict: "refuse" });
  const results = [first];
  if (first.taken.size > 0) {
    const isPermanent = await deletesReplaced(client);
    const decisions = await decide(entries, first.taken, { folder, isPermanent });
    for (const [decision, decided] of decisions) {
      if (decision === "skip") continue;
      const trash = decision === "replace" ? !isPermanent : undefined;
      const result = await moveAll(client, decided, folder, { onConflict: decision, trash });
      results.push(countTakenAsFailed(result));
    }
  }
  offerUndo(client, entries, folder, results);
  for (const result of results) reportFailure(result, "moved");
  await refreshFolders(client);
}

function offerUndo(
  client: QueryClient,
  entries: readonly Entry[],
  folder: MoveTarget,
  results: readonly ChangedEntries[],
): void {
  const after = results.flatMap(({ files }) => files);
  const ids = new Set([
    ...after.map(({ id }) => id),
    ...results.flatMap(({ folderIds }) => folderIds),
  ]);
  if (ids.size === 0) return;
  const before = entries.filter(({ id }) => ids.has(id));
  const undoIds = results.flatMap((result) => result.undoIds);
  const run = () => void undoMoves(client, { before, after, undoIds });
  const text = `Moved ${formatItems(ids.size)} to “${folder.name || "Files"}”.`;
  showToast(text, { label: "Undo", undoes: true, run });
}

interface Handling extends Pick<FilesChange, "trash"> {
  readonly onConflict: Exclude<Decision, "skip"> | "refuse";
}

async function moveAll(
  client: QueryClient,
  entries: readonly Entry[],
  folder: MoveTarget,
  { onConflict, trash }: Handling,
): Promise<ChangedEntries> {
  const result = await changeAll(entries, {
    title: "Moving",
    change: { folderId: folder.id, onConflict, trash },
    async changeFolder(id, options) {
      const rename = onConflict === "keepBoth" ? { onConflict } : {};
      const change = { parentId: folder.id, ...rename };
      await holdallWithoutRetries.folders.update(id, change, options);
    },
  });
  const moved = new Set([...result.folderIds, ...result.files.map(({ id }) => id)]);
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
