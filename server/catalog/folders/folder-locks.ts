import { ROOT_KEY } from "../../domain/names/name.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { isLive } from "../records/outside-tree.ts";
import { isWithin, selectFolders } from "../records/select-records.ts";

/*
 * Which folders a change locks where several transactions write at the same time:
 *
 * - A change that adds files to a folder or renames files in it locks that folder, so that one
 *   change at a time gives out names there.
 * - A change of the tree (which creates, removes, renames or moves a folder) locks the root first,
 *   which allows one such change at a time: what it reads of the tree stays true until it ends,
 *   and two moves cannot form a cycle. Then it locks every folder whose row it will change, so that
 *   no file is added meanwhile.
 * - All changes lock in the order of the ids, so that they cannot deadlock. The root is the oldest
 *   folder and so the first in that order.
 */

/** Lets no other transaction change the tree until this one ends. Must be the first lock taken. */
export const lockTree = (tx: Tx): Promise<void> =>
  tx.lockRows(selectFolders(tx.db).where("folders.key", "=", ROOT_KEY));

/** Locks the folders that exist. By id. */
export async function lockFolders(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, FolderRecord>> {
  const folders = await selectFolders(tx.db)
    .where("folders.id", "in", ids)
    .orderBy("folders.id")
    .forUpdate()
    .execute();
  return new Map(folders.map((folder) => [folder.id, folder]));
}

/** Locks the folder with this key, all folders below it, and the others. The tree must be locked. */
export const lockSubtree = (tx: Tx, key: Key, others: readonly string[]): Promise<void> =>
  tx.lockRows(
    tx.db
      .selectFrom("folders")
      .select("folders.id")
      .where((eb) => eb.or([isWithin(key)(eb), ...others.map((id) => eb("folders.id", "=", id))]))
      .orderBy("folders.id"),
  );

/**
 * Those of the folders that exist, with keys that stay true until the transaction ends. Other changes
 * may lock them in the same way. The ids must be sorted.
 */
export const lockFoldersShared = (
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; key: Key }[]> =>
  tx.db
    .selectFrom("folders")
    .select(["folders.id", "folders.key"])
    .where(isLive)
    .where("folders.id", "in", ids)
    .orderBy("folders.id")
    .forShare()
    .execute();
