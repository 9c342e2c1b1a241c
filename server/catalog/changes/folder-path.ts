import { joinKey, keyNames, ROOT_KEY } from "../../rules/name.ts";
import type { FolderRecord, Key, Name } from "../../rules/records.ts";
import { newId } from "../ids.ts";
import { selectFolders } from "../select-records.ts";
import { nameTaken, takenBy } from "../taken-names.ts";
import { RetryTransaction, type Tx } from "../tx.ts";
import { lockShape } from "./folder-locks.ts";

async function folderForChange(tx: Tx, key: Key): Promise<FolderRecord | undefined> {
  const folders = selectFolders(tx.db);
  if (!tx.rowLocks) return folders.where("folders.key", "=", key).executeTakeFirst();
  // By its id, so that the lock tells when it has another key by the time it is to be had.
  const folder = await folders
    .where("folders.id", "=", (eb) =>
      eb.selectFrom("folders as there").select("there.id").where("there.key", "=", key),
    )
    .forUpdate()
    .executeTakeFirst();
  if (folder !== undefined && folder.key !== key) throw new RetryTransaction();
  return folder;
}

/** The deepest folder along the path that exists, locked. */
async function deepestFolder(tx: Tx, names: readonly Name[]): Promise<FolderRecord> {
  const keys = names.map((_, index) => joinKey(names.slice(0, index + 1)));
  const folder = await selectFolders(tx.db)
    .where("folders.key", "in", [ROOT_KEY, ...keys])
    .orderBy("folders.key", "desc")
    .limit(1)
    .$if(tx.rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (folder === undefined) throw new Error("The catalog has lost its root folder.");
  return folder;
}

/** The folder with this key, created with all that leads to it where missing. Fault "conflict": a file is in the way. */
export async function ensureFolder(
  tx: Tx,
  key: Key,
): Promise<{ folder: FolderRecord; created: boolean }> {
  const there = await folderForChange(tx, key);
  if (there !== undefined) return { folder: there, created: false };
  await lockShape(tx);
  const names = keyNames(key);
  let folder = await deepestFolder(tx, names);
  const missing = names.slice(keyNames(folder.key).length);
  const [first] = missing;
  if (first !== undefined) {
    const kind = await takenBy(tx.db, folder.id, first);
    if (kind !== undefined) throw nameTaken(kind, first);
  }
  for (const name of missing) folder = await insertFolder(tx, folder, name);
  return { folder, created: missing.length > 0 };
}

async function insertFolder(tx: Tx, parent: FolderRecord, name: Name): Promise<FolderRecord> {
  const folder: FolderRecord = {
    id: newId(tx.now),
    parentId: parent.id,
    name,
    key: joinKey([...keyNames(parent.key), name]),
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await tx.db
    .insertInto("folders")
    .values({
      id: folder.id,
      parent_id: folder.parentId,
      name: folder.name,
      key: folder.key,
      created_at: folder.createdAt,
      updated_at: folder.updatedAt,
    })
    .execute();
  return folder;
}
