import type { Ref } from "../../domain/callers/ref.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { keyNames } from "../../domain/names/name.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockSubtree, lockTree } from "../folders/folder-locks.ts";
import { removeMultipartsIn } from "../objects/multipart-uploads.ts";
import { topOfFolder } from "../quotas/usage.ts";
import { removedKey } from "../records/outside-tree.ts";
import { findFolder, requirePlace } from "./change-folder.ts";
import { rewriteKeys } from "./rewrite-keys.ts";

export async function removeFolder(tx: Tx, ref: Ref): Promise<Pick<FolderRecord, "id">> {
  const { id, key } = await lockFolderToRemove(tx, ref);
  await markRemoved(tx, { id, key });
  await recordChanges(tx, [{ kind: "folder.deleted", id, key }]);
  return { id };
}

/**
 * The folder, locked with everything below it. Unfinished multipart uploads into a bucket are removed
 * with it: nobody could abort them any more. Faults: same as `removeFolder` of the port.
 */
export async function lockFolderToRemove(tx: Tx, ref: Ref): Promise<FolderRecord> {
  const { key } = await findFolder(tx, { id: ref });
  // Completing an upload locks it before the folders.
  if (keyNames(key).length === 1) await removeMultipartsIn(tx, key);
  await lockTree(tx);
  const folder = await findFolder(tx, { id: ref });
  if (folder.key !== key) throw new RetryTransaction();
  if (folder.parentId === null) throw new Fault("invalid", "The root folder cannot be deleted.");
  await requirePlace(tx, folder);
  await lockSubtree(tx, folder.key, []);
  return folder;
}

/** Takes a folder out of the tree with everything inside, to be emptied later. */
export async function markRemoved(tx: Tx, folder: Pick<FolderRecord, "id" | "key">): Promise<void> {
  const key = removedKey(folder.id);
  await takeOut(tx, folder, key);
  if (keyNames(folder.key).length === 1) tx.usage.forget(folder.id);
  else tx.usage.moveFolder({ id: folder.id, from: topOfFolder(folder.key), to: undefined });
}

/** Takes a folder out of the tree with everything inside. `key` replaces its own. */
export async function takeOut(
  tx: Tx,
  folder: Pick<FolderRecord, "id" | "key">,
  key: Key,
): Promise<void> {
  if (key === removedKey(folder.id)) tx.dryRun?.removedFolders.push(folder.key);
  await tx.db
    .updateTable("folders")
    .set({ parent_id: null, key })
    .where("id", "=", folder.id)
    .execute();
  await rewriteKeys(tx, folder.key, key);
}
