import { Fault } from "../../rules/fault.ts";
import { keyNames } from "../../rules/name.ts";
import type { FolderRecord, Key } from "../../rules/records.ts";
import type { Within } from "../port/file-tree.ts";
import { isBelow, isWithin, selectFolders } from "../queries/select-records.ts";
import type { Tx } from "../tx.ts";
import { areWithin } from "./are-within.ts";
import { requirePlace } from "./change-folder.ts";
import { lockSubtree, lockTree } from "./folder-locks.ts";
import { noSuchFolder } from "./folder-path.ts";
import { removeMultipartsIn } from "./multipart-uploads.ts";
import { recordChanges } from "./record-changes.ts";
import { markRemoved } from "./remove-folder.ts";

export async function removeBucket(
  tx: Tx,
  { key, within }: { readonly key: Key; readonly within?: Within | undefined },
): Promise<void> {
  // Completing an upload locks it before the folders.
  await removeMultipartsIn(tx, key);
  await lockTree(tx);
  const folder = await selectFolders(tx.db).where("folders.key", "=", key).executeTakeFirst();
  const isBucket = folder !== undefined && keyNames(key).length === 1;
  if (!isBucket || !(await areWithin(tx, [folder.id], within))) throw noSuchFolder();
  await requirePlace(tx, folder, within);
  await lockSubtree(tx, key, []);
  if (await hasObject(tx, folder)) {
    throw new Fault("conflict", "The bucket is not empty.");
  }
  await markRemoved(tx, folder);
  await recordChanges(tx, [{ kind: "folder.deleted", id: folder.id, key }]);
}

/** Implicit folders without content are no objects. */
async function hasObject(tx: Tx, { key }: FolderRecord): Promise<boolean> {
  const folder = await tx.db
    .selectFrom("folders")
    .select("folders.id")
    .where(isBelow(key))
    .where("folders.implicit", "=", 0)
    .limit(1)
    .executeTakeFirst();
  if (folder !== undefined) return true;
  const file = await tx.db
    .selectFrom("folders")
    .innerJoin("files", "files.folder_id", "folders.id")
    .select("files.id")
    .where(isWithin(key))
    .limit(1)
    .executeTakeFirst();
  return file !== undefined;
}
