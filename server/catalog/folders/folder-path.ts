import { Fault } from "../../domain/faults/fault.ts";
import { joinKey, keyNames, ROOT_KEY, rejectC1 } from "../../domain/names/name.ts";
import type { FolderRecord, Key, Name } from "../../domain/records.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { areWithin } from "../records/are-within.ts";
import { folderColumns, selectFolders } from "../records/select-records.ts";
import { nameTaken } from "../records/taken-names.ts";
import { claimName } from "../trash/claim-names.ts";
import { lockTree } from "./folder-locks.ts";
import { insertFolders, newFolder } from "./insert-folders.ts";

/**
 * The folder with this key, locked. It and its missing ancestors are created, and returned in
 * `created`, for the change feed. Those for an object are implicit, and their bucket must exist.
 * Faults: "not_found": it is or would be outside the limit of the caller; "conflict": a file has the name of one of
 * them.
 */
export async function ensureFolder(
  tx: Tx,
  key: Key,
  purpose: "folder" | "object" = "folder",
): Promise<{ folder: FolderRecord; created: readonly FolderRecord[] }> {
  const existing = await tx.first(lockFolderByKey, { key });
  if (existing !== undefined) {
    // It was moved or renamed while this transaction waited for its lock.
    if (existing.key !== key) throw new RetryTransaction();
    if (!(await areWithin(tx, [existing.id]))) throw noSuchFolder();
    return { folder: existing, created: [] };
  }
  await lockTree(tx);
  const names = keyNames(key);
  let folder = await lockDeepestFolder(tx, names);
  if (!(await areWithin(tx, [folder.id]))) throw noSuchFolder();
  if (purpose === "object" && folder.key === ROOT_KEY) throw noSuchFolder();
  const missing = names.slice(keyNames(folder.key).length);
  missing.forEach(rejectC1);
  const [first] = missing;
  if (first !== undefined) {
    const holder = await claimName(tx, folder.id, first);
    if (holder !== undefined) throw nameTaken(holder, first);
  }
  const created: FolderRecord[] = [];
  for (const name of missing) {
    folder = newFolder(tx, folder, name);
    created.push(folder);
  }
  await insertFolders(tx, created, purpose === "object" ? 1 : 0);
  return { folder, created };
}

/**
 * Found by its id, so that a row whose key changed meanwhile is returned with its new key; also if it has
 * left the tree: it would stay locked, and who restores it has the tree locked first.
 */
const lockFolderByKey = prepared((db, param: Param<{ key: Key }>) =>
  db
    .selectFrom("folders")
    .select(folderColumns)
    .where("folders.id", "=", (eb) =>
      eb
        .selectFrom("folders as with_key")
        .select("with_key.id")
        .where("with_key.key", "=", param("key")),
    )
    .forUpdate(),
);

/** The deepest folder on the path that exists, locked. */
async function lockDeepestFolder(tx: Tx, names: readonly Name[]): Promise<FolderRecord> {
  const keys = names.map((_, index) => joinKey(names.slice(0, index + 1)));
  const folder = await selectFolders(tx.db)
    .where("folders.key", "in", [ROOT_KEY, ...keys])
    .orderBy("folders.key", "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (folder === undefined) throw new Error("The catalog has lost its root folder.");
  return folder;
}

export const noSuchFolder = (): Fault => new Fault("not_found", "No such folder.");

/** The folder to move to does not exist. */
export const noTarget = (): Fault => new Fault("not_found", "No such folder to move to.");

/** The folder to copy to does not exist. */
export const noDestination = (): Fault => new Fault("not_found", "No such folder to copy to.");
