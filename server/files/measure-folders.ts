import type { FileTree, Measure } from "../catalog/port/file-tree.ts";
import { ROOT_KEY } from "../rules/name.ts";
import type { FolderRecord, Key } from "../rules/records.ts";
import { findFolder } from "./find.ts";

/**
 * The total content of several folders. A folder inside another one counts once, as a part of that.
 * Fault "not_found": one of them does not exist.
 */
export async function measureFolders(tree: FileTree, ids: readonly string[]): Promise<Measure> {
  const folders: FolderRecord[] = [];
  for (const id of new Set(ids)) folders.push(await findFolder(tree, { id }));
  const keys = folders.map(({ key }) => key);
  const sum = { files: 0, folders: 0, bytes: 0 };
  for (const key of keys) {
    if (keys.some((other) => isBelow(key, other))) continue;
    const { files, folders, bytes } = await tree.measure(key);
    sum.files += files;
    sum.folders += folders;
    sum.bytes += bytes;
  }
  return sum;
}

const isBelow = (key: Key, other: Key): boolean =>
  key !== other && (other === ROOT_KEY || key.startsWith(`${other}/`));
