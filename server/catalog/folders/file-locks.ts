import type { Name } from "../../domain/records.ts";
import { chunks, paddedChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";

/*
 * A file can be removed, or its visibility changed, while another transaction has its folder locked.
 * So a change locks the row of a file before it reads the file. Folders are locked before files, and
 * files in the order of their ids.
 */

export async function lockFiles(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const chunk of chunks(ids.toSorted())) {
    await tx.lockRows(
      tx.db.selectFrom("files").select("id").where("id", "in", chunk).orderBy("id"),
    );
  }
}

/** Locks the files with these names in folders, which must be locked. */
export async function lockFilesNamed(
  tx: Tx,
  places: readonly { readonly folderId: string; readonly names: readonly Name[] }[],
): Promise<void> {
  const ids: string[] = [];
  for (const { folderId, names } of places) {
    for (const chunk of paddedChunks(names)) {
      const items = chunk.map((name) => ({ name }));
      const rows = await tx.all(selectNamed(items.length), { items, shared: { folderId } });
      ids.push(...rows.map(({ id }) => id));
    }
  }
  if (ids.length > 0) await lockFiles(tx, ids);
}

const selectNamed = preparedForItems<{ name: Name }, { folderId: string }, { id: string }>(
  (db, items, param) =>
    db
      .selectFrom("files")
      .select("id")
      .where("folder_id", "=", param("folderId"))
      .where(
        "name",
        "in",
        items.map((item) => item("name")),
      ),
);
