import { chunks, evenChunks } from "../engine/chunks.ts";
import { newId } from "../engine/ids.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { TrashItemsTable } from "../tables/trash.ts";

export type NewTrashItem = Omit<TrashItemsTable, "undo_id">;

/** Records a deletion into the trash. Returns its `undoId`. */
export async function insertDeletion(
  tx: Tx,
  items: readonly NewTrashItem[],
  keepMs: number,
): Promise<string> {
  const undoId = newId(tx.now);
  await tx.db
    .insertInto("trash_deletions")
    .values({
      undo_id: undoId,
      deleted_at: tx.now,
      expires_at: tx.now + keepMs,
      actor: JSON.stringify(tx.actor),
    })
    .execute();
  for (const rows of evenChunks(items)) {
    await tx.all(insertItems(rows.length), { items: rows, shared: { undoId } });
  }
  return undoId;
}

/** Forgets items that have left the trash, and deletions without any other. */
export async function deleteItems(
  tx: Tx,
  items: readonly Pick<TrashItemsTable, "subject_id" | "undo_id">[],
): Promise<void> {
  for (const chunk of chunks(items)) {
    await tx.db
      .deleteFrom("trash_items")
      .where(
        "subject_id",
        "in",
        chunk.map(({ subject_id }) => subject_id),
      )
      .execute();
  }
  for (const chunk of chunks([...new Set(items.map(({ undo_id }) => undo_id))])) {
    await tx.db
      .deleteFrom("trash_deletions")
      .where("undo_id", "in", chunk)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("trash_items")
              .select("trash_items.subject_id")
              .whereRef("trash_items.undo_id", "=", "trash_deletions.undo_id"),
          ),
        ),
      )
      .execute();
  }
}

const insertItems = preparedForItems<NewTrashItem, { undoId: string }, unknown>((db, rows, param) =>
  db.insertInto("trash_items").values(
    rows.map((row) => ({
      subject_id: row("subject_id"),
      undo_id: param("undoId"),
      kind: row("kind"),
      key: row("key"),
      parent_ids: row("parent_ids"),
      files: row("files"),
      bytes: row("bytes"),
    })),
  ),
);
