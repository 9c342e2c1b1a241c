import { sql } from "kysely";
import type { Ref } from "../../domain/callers/ref.ts";
import { ROOT_KEY, splitKey } from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { ancestorIds } from "../folders/ancestor-ids.ts";
import { trashKey } from "../records/outside-tree.ts";
import { isWithin } from "../records/select-records.ts";
import { lockFolderToRemove, takeOut } from "../tree/remove-folder.ts";
import { insertDeletion } from "./trash-items.ts";

/** Folders with fewer files are counted at once. */
const COUNTED = 10_000;

export async function trashFolder(
  tx: Tx,
  { id: ref, keepMs }: { id: Ref; keepMs: number },
): Promise<{ id: string; undoId: string }> {
  const folder = await lockFolderToRemove(tx, ref);
  const { id } = folder;
  const parent = splitKey(folder.key)?.folder ?? ROOT_KEY;
  const parents = await ancestorIds(tx, [parent]);
  const counted = await countFew(tx, folder.key);
  await takeOut(tx, folder, trashKey(id));
  const parentIds = parents(parent).join(",");
  const undoId = await insertDeletion(
    tx,
    [{ subject_id: id, kind: "folder", key: folder.key, parent_ids: parentIds, ...counted }],
    keepMs,
  );
  await recordChanges(tx, [{ kind: "folder.deleted", id, key: folder.key }]);
  return { id, undoId };
}

/** null: there are too many to count while others wait. */
async function countFew(tx: Tx, key: Key): Promise<{ files: number | null; bytes: number | null }> {
  const row = await tx.db
    .selectFrom((from) =>
      from
        .selectFrom("folders")
        .innerJoin("files", "files.folder_id", "folders.id")
        .select("files.size")
        .where(isWithin(key))
        .limit(COUNTED)
        .as("inside"),
    )
    .select([
      sql<number>`count(*)`.as("files"),
      sql<number>`coalesce(sum(inside.size), 0)`.as("bytes"),
    ])
    .executeTakeFirstOrThrow();
  const files = Number(row.files);
  return files < COUNTED ? { files, bytes: Number(row.bytes) } : { files: null, bytes: null };
}

/** Stores what was counted of a folder, if it has been in the trash since. */
export async function setTrashCount(
  tx: Tx,
  counted: { id: string; undoId: string; files: number; bytes: number },
): Promise<void> {
  await tx.db
    .updateTable("trash_items")
    .set({ files: counted.files, bytes: counted.bytes })
    .where("subject_id", "=", counted.id)
    .where("undo_id", "=", counted.undoId)
    .execute();
}
