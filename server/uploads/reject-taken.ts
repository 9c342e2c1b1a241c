import type { FileTree } from "../catalog/port/file-tree.ts";
import { childKey, keyNames, ROOT_KEY } from "../domain/names/name.ts";
import type { Key, Name } from "../domain/records.ts";
import type { Scope } from "../domain/scope.ts";
import type { UploadRecord } from "../domain/uploads.ts";
import { nameTaken } from "./upload-faults.ts";

type Tree = Pick<FileTree, "takenName" | "fileByKey" | "folderByKey">;

/**
 * Fault "unprocessable": the upload could not be finished, as its name is taken or a folder of its path
 * is a file. In a batch, only the commit finds out. `name`: null: not known yet. `mayRepeat`: whether the
 * file of that name may be this one, stored by a request whose response was lost.
 */
export async function rejectTaken(
  tree: Tree,
  { folder, batchId, onConflict }: Pick<UploadRecord, "folder" | "batchId" | "onConflict">,
  name: Name | null,
  { folderIds }: Pick<Scope, "folderIds">,
  mayRepeat: (name: Name) => Promise<boolean> = async () => false,
): Promise<void> {
  if (batchId !== null) return;
  const within = folderIds.length > 0 ? folderIds : undefined;
  if ((await tree.folderByKey(folder, within)) === undefined) {
    await rejectFileInPath(tree, folder, within);
  } else if (name !== null && onConflict === "refuse") {
    const taken = await tree.takenName(folder, [name], within);
    if (taken !== undefined && !(await mayRepeat(name))) throw nameTaken(taken);
  } else if (name !== null && onConflict === "replace") {
    // A folder is never replaced.
    const found = await tree.folderByKey(childKey(folder, name), within);
    if (found !== undefined) throw nameTaken(name);
  }
}

async function rejectFileInPath(
  tree: Tree,
  folder: Key,
  within: Scope["folderIds"] | undefined,
): Promise<void> {
  let path = ROOT_KEY;
  for (const name of keyNames(folder)) {
    path = childKey(path, name);
    if ((await tree.fileByKey(path, within)) !== undefined) throw nameTaken(name);
  }
}
