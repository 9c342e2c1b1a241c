import type { Name } from "../../rules/records.ts";
import { pieces } from "../pieces.ts";
import type { Tx } from "../tx.ts";

/*
 * Files go, and get another visibility with their folder's, while their folder is locked by somebody
 * else: whoever reads a file in order to change it locks its row first. Folders are locked before files,
 * and files in the order of their ids.
 */

export async function lockFiles(tx: Tx, ids: readonly string[]): Promise<void> {
  if (!tx.rowLocks) return;
  for (const piece of pieces(ids.toSorted())) {
    await tx.db
      .selectFrom("files")
      .select("id")
      .where("id", "in", piece)
      .orderBy("id")
      .forUpdate()
      .execute();
  }
}

/** Those of the folder that bear these names. The folder must be locked. */
export async function lockFilesNamed(
  tx: Tx,
  folderId: string,
  names: readonly Name[],
): Promise<void> {
  if (!tx.rowLocks) return;
  const ids: string[] = [];
  for (const piece of pieces(names)) {
    const rows = await tx.db
      .selectFrom("files")
      .select("id")
      .where("folder_id", "=", folderId)
      .where("name", "in", piece)
      .execute();
    ids.push(...rows.map(({ id }) => id));
  }
  await lockFiles(tx, ids);
}
