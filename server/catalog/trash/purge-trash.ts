import { EVERYTHING } from "../../domain/caller.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { lockFiles } from "../folders/file-locks.ts";
import { lockTree } from "../folders/folder-locks.ts";
import type { TrashSelection } from "../port/trash.ts";
import { removedKey, trashKey } from "../records/outside-tree.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import { takeOut } from "../tree/remove-folder.ts";
import { deleteHiddenFolders } from "./hidden-folders.ts";
import { lockItems } from "./lock-items.ts";
import { forgetFolders } from "./trash-folders.ts";
import { deleteItems } from "./trash-items.ts";
import { deleteVersions, removeVersionsOf } from "./versions.ts";

export async function purgeTrash(tx: Tx, selection: TrashSelection): Promise<string[]> {
  // Otherwise folders might move out of the limit meanwhile.
  if (tx.within !== EVERYTHING) await lockTree(tx);
  const items = await lockItems(tx, selection);
  await purge(tx, items);
  const purged = items.map(({ subject_id }) => subject_id);
  if ("undoId" in selection) return purged;
  const found = new Set(purged);
  return [...new Set(selection.ids)].filter((id) => found.has(id));
}

export async function expireTrash(tx: Tx, limit: number): Promise<boolean> {
  const items = await tx.db
    .selectFrom("trash_items")
    .selectAll()
    .where("undo_id", "in", (eb) =>
      eb
        .selectFrom("trash_deletions")
        .select("trash_deletions.undo_id")
        .where("expires_at", "<=", tx.now),
    )
    .orderBy("subject_id")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  await purge(tx, items);
  if (items.length === limit) return true;
  const versions = await tx.db
    .selectFrom("versions")
    .select("id")
    .where("expires_at", "<=", tx.now)
    .orderBy("expires_at")
    .orderBy("id")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  await deleteVersions(
    tx,
    versions.map(({ id }) => id),
  );
  if (versions.length === limit) return true;
  await forgetFolders(tx);
  return false;
}

/** Deletes locked items permanently. */
async function purge(tx: Tx, items: readonly TrashItemsTable[]): Promise<void> {
  if (items.length === 0) return;
  for (const { kind, subject_id: id } of items) {
    if (kind === "folder") await takeOut(tx, { id, key: trashKey(id) }, removedKey(id));
  }
  await deleteFiles(
    tx,
    items.flatMap(({ kind, subject_id }) => (kind === "file" ? [subject_id] : [])),
  );
  await deleteItems(tx, items);
}

async function deleteFiles(tx: Tx, ids: readonly string[]): Promise<void> {
  await lockFiles(tx, ids);
  await removeVersionsOf(tx, ids);
  const hidden = new Set<string>();
  for (const chunk of chunks(ids)) {
    const rows = await tx.db
      .deleteFrom("files")
      .where("id", "in", chunk)
      .returning(["blob_id", "folder_id"])
      .execute();
    await condemnBlobs(
      tx,
      rows.map(({ blob_id }) => blob_id),
    );
    for (const { folder_id } of rows) hidden.add(folder_id);
  }
  await deleteHiddenFolders(tx, hidden);
}
