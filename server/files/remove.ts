import type { FileTree } from "../catalog/port/file-tree.ts";
import { noSuchFile } from "./find.ts";
import type { Reaper } from "./reaper.ts";

export interface Removal {
  readonly deleted: string[];
  readonly failed: { readonly id: string; readonly message: string }[];
}

/**
 * Deletes files, records first. Repeated ids count once; ids without a file are in `failed`. Missing
 * blobs are not an error. Fault "not_found": none of the files exists.
 */
export async function removeFiles(
  names: Pick<FileTree, "removeFiles">,
  reaper: Reaper,
  ids: readonly string[],
): Promise<Removal> {
  const unique = [...new Set(ids)];
  const removed = await names.removeFiles(unique);
  if (removed.length === 0) throw noSuchFile();
  await reaper.remove(removed.map((file) => file.blobId));
  const deleted = removed.map((file) => file.id);
  const deletedIds = new Set(deleted);
  const failed = unique
    .filter((id) => !deletedIds.has(id))
    .map((id) => ({ id, message: noSuchFile().message }));
  return { deleted, failed };
}

/** The response waits this long for the removal of the blobs; the rest is removed afterwards. */
const MAX_WAIT_MS = 30;

/** Deletes a folder with all its content. Faults "not_found"; "invalid": the root. */
export async function removeFolder(
  names: Pick<FileTree, "removeFolder">,
  reaper: Reaper,
  id: string,
): Promise<void> {
  await names.removeFolder(id);
  await Promise.race([reaper.drain(), Bun.sleep(MAX_WAIT_MS)]);
}
