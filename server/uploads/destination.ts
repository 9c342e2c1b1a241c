import type { FileTree } from "../catalog/port/file-tree.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { Key } from "../domain/records.ts";
import { forbidden, isLimitedToFolder, may, requireAction, type Scope } from "../domain/scope.ts";
import { noSuchFolder } from "../files/find.ts";

/**
 * The folder that a caller uploads to. Default: the root, or the folder of its API key. Faults:
 * "not_found": it is outside the scope; "forbidden": the scope lacks the action.
 */
export async function destination(
  tree: Pick<FileTree, "topFolder">,
  scope: Scope,
  folder: Key | undefined,
): Promise<Key> {
  if (!isLimitedToFolder(scope)) {
    requireAction(scope, "write");
    return folder ?? ROOT_KEY;
  }
  const top = (await tree.topFolder(scope.folderIds))?.key;
  const wanted = folder ?? top ?? ROOT_KEY;
  const verdict = may(scope, "write", top, wanted);
  if (verdict === "outside") throw noSuchFolder();
  if (verdict === "forbidden") throw forbidden("write");
  return wanted;
}

/** Whether the scope still allows uploads to the folder. */
export async function reaches(
  tree: Pick<FileTree, "topFolder">,
  scope: Scope,
  folder: Key,
): Promise<boolean> {
  if (!isLimitedToFolder(scope)) return may(scope, "write", ROOT_KEY, folder) === "yes";
  return may(scope, "write", (await tree.topFolder(scope.folderIds))?.key, folder) === "yes";
}
