import type { FilesChange, FilesChanged, FileTree } from "../catalog/port/file-tree.ts";
import { noSuchFile } from "./find.ts";

/**
 * Changes files in one transaction. Ids without a file are in `failed`, like the files that cannot be
 * moved. Faults "not_found": none of the files exists, or the folder to move to does not.
 */
export async function changeFiles(
  names: Pick<FileTree, "changeFiles">,
  change: FilesChange,
): Promise<FilesChanged> {
  const ids = [...new Set(change.ids)];
  const { changed, failed } = await names.changeFiles({ ...change, ids });
  if (changed.length === 0 && failed.length === 0) throw noSuchFile();
  const known = new Set([...changed, ...failed].map(({ id }) => id));
  const { message } = noSuchFile();
  const missing = ids.filter((id) => !known.has(id)).map((id) => ({ id, message }));
  return { changed, failed: [...failed, ...missing] };
}
