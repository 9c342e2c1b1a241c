import type { QueryClient } from "@tanstack/react-query";
import { holdallWithoutRetries } from "../../../app/client.ts";
import { showToast } from "../../../components/toast-store.ts";
import { readTrashDays } from "../../../trash/use-trash-days.ts";
import { type Entry, isFile, nameOf } from "../data/entry.ts";
import { moveEntries as moveInLists, refreshFolders } from "../data/patch-folders.ts";
import { type ChangedEntries, changeAll } from "./change-all.ts";
import { type Decision, decideConflicts } from "./conflict-question.ts";
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
  const results = [await moveAll(client, entries, folder, "refuse")];
  const [{ taken } = { taken: new Map<string, "file" | "folder">() }] = results;
  for (const [decision, decided] of await decide(entries, taken, folder)) {
    if (decision !== "skip") results.push(await moveAll(client, decided, folder, decision));
  }
  const movedIds = new Set(
    results.flatMap(({ files, folderIds }) => [...files.map(({ id }) => id), ...folderIds]),
  );
  const undoIds = results.flatMap((result) => result.undoIds);
  if (movedIds.size > 0) {
    const moved = entries.filter(({ id }) => movedIds.has(id));
    const run = () => void undoMoves(client, moved, undoIds);
    const text = `Moved ${formatItems(movedIds.size)} to “${folder.name || "Files"}”.`;
    showToast(text, { label: "Undo", undoes: true, run });
  }
  for (const result of results) reportFailure(result, "moved");
  await refreshFolders(client);
}

async function moveAll(
  client: QueryClient,
  entries: readonly Entry[],
  folder: MoveTarget,
  onConflict: Exclude<Decision, "skip"> | "refuse",
): Promise<ChangedEntries> {
  const trash = ((await readTrashDays(client)) ?? 0) > 0;
  const replaced = onConflict === "replace" ? { trash } : {};
  const result = await changeAll(entries, {
    title: "Moving",
    change: { folderId: folder.id, onConflict, ...replaced },
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

/** The entries whose names are taken, by what is to be done with them. */
async function decide(
  entries: readonly Entry[],
  taken: ReadonlyMap<string, "file" | "folder">,
  folder: MoveTarget,
): Promise<Map<Decision, Entry[]>> {
  const conflicts = entries.filter(({ id }) => taken.has(id));
  const decisions = await decideConflicts(
    conflicts.map((entry) => ({
      name: nameOf(entry),
      folder: folder.name || "Files",
      mayReplace: isFile(entry) && taken.get(entry.id) === "file",
    })),
  );
  const byDecision = new Map<Decision, Entry[]>();
  for (const [at, entry] of conflicts.entries()) {
    const decision = decisions[at] ?? "skip";
    byDecision.set(decision, [...(byDecision.get(decision) ?? []), entry]);
  }
  return byDecision;
}
