import type { QueryClient } from "@tanstack/react-query";
import { holdall, isStatus } from "../../../app/client.ts";
import { showToast } from "../../../components/toast-store.ts";
import { displayName, parentKey } from "../../../text/key-parts.ts";
import { readTrashDays } from "../../../trash/use-trash-days.ts";
import type { Entry } from "../data/entry.ts";
import { patchFiles, refreshFolders } from "../data/patch-folders.ts";
import { type Decision, decideConflicts } from "./conflict-question.ts";
import { undoMoves } from "./undo-moves.ts";

/** Renames an entry. If the name is taken, asks what to do, and rejects if that is nothing. */
export async function renameEntry(client: QueryClient, entry: Entry, name: string): Promise<void> {
  try {
    await rename(client, entry, name, "refuse");
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
    const { key } = entry.kind === "file" ? entry.file : entry.folder;
    const folder = displayName(parentKey(key) ?? "");
    const mayReplace = entry.kind === "file";
    const [decision = "skip"] = await decideConflicts([{ name, folder, mayReplace }]);
    if (decision === "skip") throw error;
    await rename(client, entry, name, decision);
  }
  await refreshFolders(client);
}

async function rename(
  client: QueryClient,
  entry: Entry,
  name: string,
  onConflict: Exclude<Decision, "skip"> | "refuse",
): Promise<void> {
  if (entry.kind === "folder") {
    if (onConflict === "replace") throw new Error("A folder cannot be replaced.");
    await holdall.folders.update(entry.id, { name, onConflict });
  } else if (onConflict === "replace") {
    const trash = ((await readTrashDays(client)) ?? 0) > 0;
    const change = { name, onConflict, trash } as const;
    const { undoId, ...file } = await holdall.files.update(entry.id, change);
    patchFiles(client, [file]);
    offerUndo(client, entry, undoId);
  } else {
    patchFiles(client, [await holdall.files.update(entry.id, { name, onConflict })]);
  }
}

function offerUndo(client: QueryClient, entry: Entry, undoId: string | undefined): void {
  if (undoId === undefined) return;
  const run = () => void undoMoves(client, [entry], [undoId]);
  showToast("Replaced the file.", { label: "Undo", undoes: true, run });
}
