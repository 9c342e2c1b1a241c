import { ROOT_KEY } from "../../rules/name.ts";
import type { FolderRecord, Key } from "../../rules/records.ts";
import { isWithin, selectFolders } from "../select-records.ts";
import type { Tx } from "../tx.ts";

/*
 * Which folders a change locks, where others write at the same time:
 *
 * - Whoever puts files into a folder, or gives them other names there, locks that folder, so that
 *   names are given out by one change at a time.
 * - Whoever changes the shape of the tree (a folder comes or goes, gets another name or another
 *   place) locks the root first, so that there is one such change at a time: what it then reads of
 *   the tree holds until it ends, and two moves cannot make a ring between them. Then it locks
 *   every folder whose row it will touch, so that no file slips in meanwhile.
 * - Everybody locks in the order of the ids, so that nobody waits for each other; the root is the
 *   oldest folder, and so the first in that order.
 */

/** Keeps the shape of the tree to this change until it ends. To be called before any other lock. */
export async function lockShape(tx: Tx): Promise<void> {
  if (!tx.rowLocks) return;
  await selectFolders(tx.db).where("folders.key", "=", ROOT_KEY).forUpdate().execute();
}

/** Those of the folders that exist, locked, by their ids. */
export async function foldersForChange(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, FolderRecord>> {
  const folders = await selectFolders(tx.db)
    .where("folders.id", "in", ids)
    .orderBy("folders.id")
    .$if(tx.rowLocks, (query) => query.forUpdate())
    .execute();
  return new Map(folders.map((folder) => [folder.id, folder]));
}

/** Locks the folder with this key, everything below it, and the others. The shape must be locked. */
export async function lockSubtree(tx: Tx, key: Key, others: readonly string[]): Promise<void> {
  if (!tx.rowLocks) return;
  await tx.db
    .selectFrom("folders")
    .select("folders.id")
    .where((eb) => eb.or([isWithin(key)(eb), ...others.map((id) => eb("folders.id", "=", id))]))
    .orderBy("folders.id")
    .forUpdate()
    .execute();
}
