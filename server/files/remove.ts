import type { FileTree } from "../catalog/port/file-tree.ts";
import type { TrashChanges } from "../catalog/port/trash.ts";
import type { ChangedBy } from "../domain/caller.ts";
import type { FileRecord } from "../domain/records.ts";
import { noSuchFile } from "./find.ts";
import type { Reaper } from "./reaper.ts";
import { waitBriefly } from "./wait-briefly.ts";

export interface Removal {
  readonly deleted: readonly Pick<FileRecord, "id" | "key">[];
  readonly failed: { readonly id: string; readonly message: string }[];
  /** The id of the deletion, if the files are in the trash. */
  readonly undoId?: string;
}

/**
 * Deletes files, records first. Repeated ids count once; ids without a file are in `failed`. Missing
 * blobs are not an error. Fault "not_found": none of the files exists.
 */
export async function removeFiles(
  caller: ChangedBy,
  names: Pick<FileTree, "removeFiles">,
  reaper: Reaper,
  ids: readonly string[],
): Promise<Removal> {
  const unique = [...new Set(ids)];
  const removed = await names.removeFiles(caller, unique);
  if (removed.length === 0) throw noSuchFile();
  await waitBriefly(reaper.remove(removed.map((file) => file.blobId)));
  return removalOf(unique, removed);
}

/** Moves files to the trash for `keepMs` milliseconds. Otherwise as `removeFiles`. */
export async function trashFiles(
  caller: ChangedBy,
  trash: Pick<TrashChanges, "trashFiles">,
  ids: readonly string[],
  keepMs: number,
): Promise<Removal> {
  const unique = [...new Set(ids)];
  const { undoId, files } = await trash.trashFiles(caller, { ids: unique, keepMs });
  if (undoId === undefined) throw noSuchFile();
  return { ...removalOf(unique, files), undoId };
}

function removalOf(wanted: readonly string[], deleted: Removal["deleted"]): Removal {
  const deletedIds = new Set(deleted.map(({ id }) => id));
  const failed = wanted
    .filter((id) => !deletedIds.has(id))
    .map((id) => ({ id, message: noSuchFile().message }));
  return { deleted, failed };
}

/** Deletes a folder with all its content. Faults "not_found"; "invalid": the root. */
export async function removeFolder(
  caller: ChangedBy,
  names: Pick<FileTree, "removeFolder">,
  reaper: Reaper,
  id: string,
): Promise<void> {
  await names.removeFolder(caller, id);
  await waitForRemoval(reaper);
}

/** A response waits this long for the removal of the blobs; the rest is removed afterwards. */
const MAX_WAIT_MS = 30;

/** Starts to remove what was deleted, and resolves when a response may be sent. */
export async function waitForRemoval(reaper: Reaper): Promise<void> {
  await waitBriefly(reaper.drain(), MAX_WAIT_MS);
}
