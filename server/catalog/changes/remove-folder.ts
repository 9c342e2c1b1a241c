import { sql } from "kysely";
import { Fault } from "../../rules/fault.ts";
import { keyNames } from "../../rules/name.ts";
import type { FolderRecord, Key } from "../../rules/records.ts";
import type { Within } from "../port/file-tree.ts";
import { removedKey } from "../queries/removed-folders.ts";
import { isBelow } from "../queries/select-records.ts";
import { RetryTransaction, type Tx } from "../tx.ts";
import { findFolder, requirePlace } from "./change-folder.ts";
import { lockSubtree, lockTree } from "./folder-locks.ts";
import { removeMultipartsIn } from "./multipart-uploads.ts";
import { recordChanges } from "./record-changes.ts";

/** Unfinished multipart uploads into a bucket are removed with it: nobody could abort them any more. */
export async function removeFolder(tx: Tx, id: string, within?: Within): Promise<void> {
  const { key } = await findFolder(tx, { id, within });
  // Completing an upload locks it before the folders.
  if (keyNames(key).length === 1) await removeMultipartsIn(tx, key);
  await lockTree(tx);
  const folder = await findFolder(tx, { id, within });
  if (folder.key !== key) throw new RetryTransaction();
  if (folder.parentId === null) throw new Fault("invalid", "The root folder cannot be deleted.");
  await requirePlace(tx, folder, within);
  await lockSubtree(tx, folder.key, []);
  await markRemoved(tx, folder);
  await recordChanges(tx, [{ kind: "folder.deleted", id, key: folder.key }]);
}

/** Takes a folder out of the tree with everything inside, to be emptied later. */
export async function markRemoved(tx: Tx, { id, key }: FolderRecord): Promise<void> {
  await tx.db
    .updateTable("folders")
    .set({ parent_id: null, key: removedKey(id) })
    .where("id", "=", id)
    .execute();
  await tx.db
    .updateTable("folders")
    .set({
      key: sql<Key>`${removedKey(id)} || substr(key, length(cast(${key} as text)) + 1)`,
    })
    .where(isBelow(key))
    .execute();
}
