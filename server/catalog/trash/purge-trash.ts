import { EVERYTHING } from "../../domain/callers/caller.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { lockFiles } from "../folders/file-locks.ts";
import { lockTree } from "../folders/folder-locks.ts";
import type { TrashSelection } from "../port/trash.ts";
import { negative, topId, topOfItem } from "../quotas/usage.ts";
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
  // What a purged folder contained is counted with its versions, so these come in a transaction of their own.
  if (items.length > 0) return true;
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
  for (const item of items) {
    const { kind, subject_id: id } = item;
    if (kind === "file") continue;
    const [key, top] = [removedKey(id), topOfItem(item)];
    await takeOut(tx, { id, key: trashKey(id) }, key);
    if (topId(top) === topId({ id })) tx.usage.forget(id);
    else tx.usage.moveFolder({ id, from: top, to: undefined });
  }
  await deleteFiles(
    tx,
    items.filter(({ kind }) => kind === "file"),
  );
  await deleteItems(tx, items);
}

async function deleteFiles(tx: Tx, items: readonly TrashItemsTable[]): Promise<void> {
  const tops = new Map(items.map((item) => [item.subject_id, topOfItem(item)]));
  const ids = [...tops.keys()];
  await lockFiles(tx, ids);
  for (const [id, amount] of await removeVersionsOf(tx, ids)) {
    tx.usage.add(tops.get(id), negative(amount));
  }
  const hidden = new Set<string>();
  for (const chunk of chunks(ids)) {
    const rows = await tx.db
      .deleteFrom("files")
      .where("id", "in", chunk)
      .returning(["id", "blob_id", "folder_id", "size"])
      .execute();
    await condemnBlobs(
      tx,
      rows.map(({ blob_id }) => blob_id),
    );
    for (const { id, folder_id, size } of rows) {
      hidden.add(folder_id);
      tx.usage.add(tops.get(id), { bytes: -size, files: -1 });
    }
  }
  await deleteHiddenFolders(tx, hidden);
}
