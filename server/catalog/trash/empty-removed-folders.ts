import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from "kysely";
import { sql } from "kysely";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { ID_LENGTH } from "../engine/ids.ts";
import type { Schema } from "../engine/schema.ts";
import type { Tx } from "../engine/tx.ts";
import { isRemoved } from "../records/outside-tree.ts";
import { removeVersionsOf } from "./versions.ts";

/**
 * Removes about `limit` records of removed folders. Returns false if there are none left, except
 * those that another transaction is removing.
 */
export async function emptyRemovedFolders(tx: Tx, limit: number): Promise<boolean> {
  for (let left = limit; left > 0; ) {
    const id = await lockLastRemoved(tx);
    if (id === undefined) return false;
    const condemned = await condemnFiles(tx, id, left);
    left -= condemned;
    if (left === 0) break;
    if (!(await deleteEmptyFolder(tx, id))) return false;
    left -= 1;
  }
  return true;
}

/** The removed folder with the last key, locked: subfolders come after their parents. */
async function lockLastRemoved(tx: Tx): Promise<string | undefined> {
  const folder = await tx.db
    .selectFrom("folders")
    .select("folders.id")
    .where(isRemoved)
    .where(isBelowRemovedFolder)
    .orderBy("folders.key", "desc")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return folder?.id;
}

/**
 * Whether the key begins with the id of a folder without a parent. One flipped bit can make the key of
 * a live folder look removed, but not this.
 */
function isBelowRemovedFolder({
  exists,
  selectFrom,
}: ExpressionBuilder<Schema, "folders">): ExpressionWrapper<Schema, "folders", SqlBool> {
  return exists(
    selectFrom("folders as top")
      .select("top.id")
      .where("top.parent_id", "is", null)
      .where("top.id", "=", sql<string>`substr(folders.key, 2, ${sql.lit(ID_LENGTH)})`),
  );
}

async function condemnFiles(tx: Tx, folderId: string, limit: number): Promise<number> {
  const rows = await tx.db
    .deleteFrom("files")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("files as first")
        .select("first.id")
        .where("first.folder_id", "=", folderId)
        .orderBy("first.id")
        .limit(limit),
    )
    .returning(["id", "blob_id"])
    .execute();
  await removeVersionsOf(
    tx,
    rows.map(({ id }) => id),
  );
  await condemnBlobs(
    tx,
    rows.map(({ blob_id }) => blob_id),
  );
  return rows.length;
}

/** Returns false while another transaction is emptying it or a subfolder. */
async function deleteEmptyFolder(tx: Tx, id: string): Promise<boolean> {
  const gone = await tx.db
    .deleteFrom("folders")
    .where("id", "=", id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom("folders as inner").select("inner.id").where("inner.parent_id", "=", id)),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("files").select("files.id").where("files.folder_id", "=", id))),
    )
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}
