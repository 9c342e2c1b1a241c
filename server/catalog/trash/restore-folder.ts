import { joinKey, keyNames } from "../../domain/names/name.ts";
import type { FolderRecord, Key } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { topOfFolder, topOfItem } from "../quotas/usage.ts";
import { trashKey } from "../records/outside-tree.ts";
import { isWithin } from "../records/select-records.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import { inherit } from "../tree/folder-defaults.ts";
import { rejectLongKeys } from "../tree/reject-long-keys.ts";
import { freeFolderName } from "../tree/resolve-conflicts.ts";
import { rewriteKeys } from "../tree/rewrite-keys.ts";
import type { RestoreLog } from "./restore-log.ts";
import type { RestorePaths } from "./restore-paths.ts";
import { rememberName } from "./trash-folders.ts";
import { placesOf } from "./trash-places.ts";

/** Moves a folder with everything inside back into the tree. Faults: same as `changeFolder`. */
export async function restoreFolder(
  tx: Tx,
  item: TrashItemsTable,
  paths: RestorePaths,
  { changes, restored }: RestoreLog,
): Promise<void> {
  const { subject_id: id, key: oldKey } = item;
  const [place] = await placesOf(tx, [item]);
  const oldName = keyNames(oldKey).at(-1);
  if (place === undefined || oldName === undefined) throw new Error("The root is in the trash.");
  const path = await paths.find(place);
  const isParentNew = path.missing.length > 0;
  const name = isParentNew ? oldName : await freeFolderName(tx, path.folder, oldName);
  const key = joinKey([
    ...keyNames(path.folder.key),
    ...path.missing.map((gone) => gone.name),
    name,
  ]);
  await rejectLongKeys(tx.db, trashKey(id), key, oldKey);
  const parent = await paths.make(path);
  const row = await tx.db
    .updateTable("folders")
    .set({ parent_id: parent.id, name, key, updated_at: tx.now })
    .where("id", "=", id)
    .returning([
      ...(["created_at", "default_visibility", "inherited_visibility"] as const),
      ...(["expire_after", "inherited_expire_after"] as const),
    ])
    .executeTakeFirstOrThrow();
  await rewriteKeys(tx, trashKey(id), key);
  const to = keyNames(key).length === 1 ? { id } : topOfFolder(key);
  tx.usage.moveFolder({ id, from: topOfItem(item), to });
  await rememberName(tx, { id, name });
  await keepFiles(tx, item, key);
  const record: FolderRecord = {
    id,
    name,
    key,
    parentId: parent.id,
    createdAt: row.created_at,
    updatedAt: tx.now,
    defaultVisibility: row.default_visibility,
    inheritedVisibility: row.inherited_visibility,
    expireAfter: row.expire_after,
    inheritedExpireAfter: row.inherited_expire_after,
  };
  const folder = await inherit(tx, record, parent.id);
  changes.push({ kind: "folder.restored", folder, fromKey: oldKey });
  restored.push({ id, kind: "folder", key, renamed: name !== oldName });
}

/**
 * Files that come back from the trash do not end. Their folders may have a lifetime for later ones. A file that had
 * ended before its folder was deleted keeps its end: it stays missing, and the job moves it to the trash by itself.
 */
async function keepFiles(tx: Tx, { undo_id }: TrashItemsTable, key: Key): Promise<void> {
  await tx.db
    .updateTable("files")
    .set({ expires_at: null })
    .where("expires_at", ">", (eb) =>
      eb
        .selectFrom("trash_deletions")
        .select("trash_deletions.deleted_at")
        .where("trash_deletions.undo_id", "=", undo_id),
    )
    .where("folder_id", "in", (eb) =>
      eb.selectFrom("folders").select("folders.id").where(isWithin(key)),
    )
    .execute();
}
