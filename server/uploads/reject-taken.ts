import type { FileTree } from "../catalog/port/file-tree.ts";
import type { SeenBy } from "../domain/callers/caller.ts";
import { childKey, keyNames, ROOT_KEY } from "../domain/names/name.ts";
import type { Key, Name } from "../domain/records.ts";
import type { UploadRecord } from "../domain/uploads.ts";
import { nameTaken } from "./upload-faults.ts";

type Tree = Pick<FileTree, "takenName" | "fileByKey" | "folderByKey">;

/**
 * Fault "unprocessable": the upload could not be finished, as its name is taken or a folder of its path
 * is a file. In a batch, only the commit finds out. `name`: null: not known yet. `mayRepeat`: whether the
 * file of that name may be this one, stored by a request whose response was lost.
 */
export async function rejectTaken(
  caller: SeenBy,
  tree: Tree,
  { folder, batchId, onConflict }: Pick<UploadRecord, "folder" | "batchId" | "onConflict">,
  name: Name | null,
  mayRepeat: (name: Name) => Promise<boolean> = async () => false,
): Promise<void> {
  if (batchId !== null) return;
  if ((await tree.folderByKey(caller, folder)) === undefined) {
    await rejectFileInPath(caller, tree, folder);
  } else if (name !== null && onConflict === "refuse") {
    const taken = await tree.takenName(caller, folder, [name]);
    if (taken !== undefined && !(await mayRepeat(name))) throw nameTaken(taken);
  } else if (name !== null && onConflict === "replace") {
    // A folder is never replaced.
    const found = await tree.folderByKey(caller, childKey(folder, name));
    if (found !== undefined) throw nameTaken(name);
  }
}

async function rejectFileInPath(caller: SeenBy, tree: Tree, folder: Key): Promise<void> {
  let path = ROOT_KEY;
  for (const name of keyNames(folder)) {
    path = childKey(path, name);
    if ((await tree.fileByKey(caller, path)) !== undefined) throw nameTaken(name);
  }
}
