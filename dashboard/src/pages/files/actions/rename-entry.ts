import type { QueryClient } from "@tanstack/react-query";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall, isStatus } from "../../../app/connection/client.ts";
import { showToast } from "../../../components/toast-store.ts";
import { displayName, parentKey } from "../../../text/key-parts.ts";
import type { Entry } from "../data/entry.ts";
import { patchFiles, refreshFolders } from "../data/patch-folders.ts";
import { decideConflicts } from "./conflict-question.ts";
import { deletesReplaced, replaceFiles } from "./replace-files.ts";
import { undoMoves } from "./undo-moves.ts";

/** Renames an entry. If the name is taken, asks what to do, and rejects if that is nothing. */
export async function renameEntry(client: QueryClient, entry: Entry, name: string): Promise<void> {
  try {
    await rename(client, entry, name, "refuse");
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
    const { key } = entry.kind === "file" ? entry.file : entry.folder;
    const folder = parentKey(key) ?? "";
    const [mayReplace, isPermanent] = await Promise.all([
      entry.kind === "file" && isFileAt(folder === "" ? name : `${folder}/${name}`),
      deletesReplaced(client),
    ]);
    const conflict = { name, folder: displayName(folder), mayReplace, isPermanent };
    const [decision = "skip"] = await decideConflicts([conflict]);
    if (decision === "skip") throw error;
    if (decision === "keepBoth") await rename(client, entry, name, decision);
    else await replace(client, entry, { name, trash: !isPermanent });
  }
  await refreshFolders(client);
}

/** Whether a file has this key, which is known to be taken. A folder cannot be replaced. */
const isFileAt = (key: string): Promise<boolean> =>
  holdall.files.getByKey(key).then(
    () => true,
    () => false,
  );

async function rename(
  client: QueryClient,
  entry: Entry,
  name: string,
  onConflict: "keepBoth" | "refuse",
): Promise<void> {
  const change = { name, onConflict };
  if (entry.kind === "folder") {
    const folder = await holdall.folders.update(entry.id, change);
    offerUndo(client, { entry, text: renamedText(entry.folder.name, folder.name) });
    return;
  }
  const file = await holdall.files.update(entry.id, change);
  patchFiles(client, [file]);
  offerUndo(client, { entry, file, text: renamedText(entry.file.name, file.name) });
}

const renamedText = (before: string, after: string): string => `Renamed “${before}” to “${after}”.`;

async function replace(
  client: QueryClient,
  entry: Entry,
  options: { readonly name: string; readonly trash: boolean },
): Promise<void> {
  const change = { ...options, onConflict: "replace" } as const;
  const { undoId, ...file } = await replaceFiles(holdall.files.update(entry.id, change));
  patchFiles(client, [file]);
  if (undoId !== undefined) offerUndo(client, { entry, file, undoId, text: "Replaced the file." });
}

interface Renaming {
  readonly entry: Entry;
  /** A file as it is since. */
  readonly file?: FileObject;
  /** The undo id of a file that was replaced. */
  readonly undoId?: string;
  readonly text: string;
}

function offerUndo(client: QueryClient, { entry, file, undoId, text }: Renaming): void {
  const after = file === undefined ? [] : [file];
  const moves = { before: [entry], after, undoIds: undoId === undefined ? [] : [undoId] };
  showToast(text, { label: "Undo", undoes: true, run: () => void undoMoves(client, moves) });
}
