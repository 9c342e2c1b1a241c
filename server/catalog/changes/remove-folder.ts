import { sql } from "kysely";
import { Fault } from "../../rules/fault.ts";
import type { Key } from "../../rules/records.ts";
import { removedKey } from "../queries/removed-folders.ts";
import { isBelow, selectFolders } from "../queries/select-records.ts";
import type { Tx } from "../tx.ts";
import { lockSubtree, lockTree } from "./folder-locks.ts";

export async function removeFolder(tx: Tx, id: string): Promise<void> {
  await lockTree(tx);
  const folder = await selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
  if (folder === undefined) throw new Fault("not_found", "No such folder.");
  if (folder.parentId === null) throw new Fault("invalid", "The root folder cannot be deleted.");
  await lockSubtree(tx, folder.key, []);
  await tx.db
    .updateTable("folders")
    .set({ parent_id: null, key: removedKey(id) })
    .where("id", "=", id)
    .execute();
  await tx.db
    .updateTable("folders")
    .set({
      key: sql<Key>`${removedKey(id)} || substr(key, length(cast(${folder.key} as text)) + 1)`,
    })
    .where(isBelow(folder.key))
    .execute();
}
