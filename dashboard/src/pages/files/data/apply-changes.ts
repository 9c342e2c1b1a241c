import type { QueryClient } from "@tanstack/react-query";
import type { ChangeObject, FileObject } from "../../../../../sdk/src/holdall.ts";
import { moveEntries, patchFiles, refreshLists, removeEntries } from "./patch-folders.ts";
import { refreshDetails } from "./refresh-details.ts";
import { refreshPeeks } from "./refresh-peeks.ts";
import { refreshSearchesSoon } from "./refresh-searches.ts";
import { folderSizeKey } from "./use-content-size.ts";

/**
 * Updates the cached lists after changes that anyone made. Changes of files are patched into the
 * lists; after a change of a folder the lists on screen are read again. Searches are, after any change.
 */
export async function applyChanges(
  client: QueryClient,
  changes: readonly ChangeObject[],
): Promise<void> {
  // Only the last state of each file counts.
  const files = new Map<string, FileObject | null>();
  const moved = new Set<string>();
  for (const { kind, id, file } of changes) {
    if (!kind.startsWith("file.")) continue;
    files.set(id, file);
    if (kind === "file.moved") moved.add(id);
  }
  const current = [...files.values()].filter((file) => file !== null);
  const gone = [...files].filter(([, file]) => file === null).map(([id]) => id);
  const folders = changes.filter(({ kind }) => kind.startsWith("folder."));
  const goneFolders = folders.filter(({ kind }) => kind === "folder.deleted").map(({ id }) => id);

  const removed = new Set([...gone, ...goneFolders]);
  if (removed.size > 0) removeEntries(client, removed);
  if (moved.size > 0) moveEntries(client, moved, current);
  else if (current.length > 0) patchFiles(client, current);
  refreshPeeks(client, changes);
  void refreshSearchesSoon(client);
  if (folders.length > 0) return refreshLists(client);
  await Promise.all([
    client.invalidateQueries({ queryKey: folderSizeKey }),
    refreshDetails(client),
  ]);
}
