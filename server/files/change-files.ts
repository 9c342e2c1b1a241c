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
  const { changed, failed, ...rest } = await names.changeFiles({ ...change, ids });
  if (changed.length === 0 && failed.length === 0) throw noSuchFile();
  const done = new Set(changed.map(({ id }) => id));
  const reasons = new Map(failed.map((reason) => [reason.id, reason]));
  const { message } = noSuchFile();
  const others = ids.filter((id) => !done.has(id));
  return {
    changed,
    ...rest,
    failed: others.map((id) => reasons.get(id) ?? { id, message }),
  };
}
