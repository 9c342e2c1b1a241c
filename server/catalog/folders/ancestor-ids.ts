import { keyNames, ROOT_KEY, splitKey } from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { foldersByKey } from "../records/object-folders.ts";

/**
 * The ids of the folders on the path to each of these, from the root down to the folder itself. The
 * folders, or the tree, must be locked, so that none on the path can move.
 */
export async function ancestorIds(
  tx: Tx,
  folders: Iterable<Key>,
): Promise<(folder: Key) => string[]> {
  const keys = new Set<Key>([ROOT_KEY]);
  for (const folder of folders) for (const key of pathTo(folder)) keys.add(key);
  const ids = new Map<Key, string>();
  for (const { folder } of await foldersByKey(tx, [...keys])) ids.set(folder.key, folder.id);
  return (folder) =>
    pathTo(folder).map((key) => {
      const id = ids.get(key);
      if (id === undefined) throw new Error("A folder on the path to a locked folder is missing.");
      return id;
    });
}

/** The keys of the folders that contain it, from the root down, and its own. */
function pathTo(folder: Key): Key[] {
  const keys = [folder];
  let key = folder;
  for (const _ of keyNames(folder)) {
    key = splitKey(key)?.folder ?? ROOT_KEY;
    keys.push(key);
  }
  return keys.reverse();
}
