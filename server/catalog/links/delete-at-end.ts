import { EVERYTHING } from "../../domain/caller.ts";
import { EXPIRY } from "../../domain/tree-change.ts";
import { RetryTransaction, type Tx } from "../engine/tx.ts";
import { selectFolders } from "../records/select-records.ts";
import type { LinksTable } from "../tables/links.ts";
import { trashFiles } from "../trash/trash-files.ts";
import { trashFolder } from "../trash/trash-folder.ts";
import { selectLinks } from "./select-links.ts";

export async function deleteAtEndOfLink(tx: Tx, keepMs: number): Promise<boolean> {
  const link = await selectLinks(tx.db)
    .where("delete_at_end", "=", 1)
    .where("expires_at", "<=", tx.now)
    .where("revoked_at", "is", null)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (link === undefined) return false;
  await moveSubject({ ...tx, actor: EXPIRY, within: EVERYTHING }, link, keepMs);
  // Its owner may have prolonged it while this transaction waited for locks. Then all of this is undone.
  const { numUpdatedRows } = await tx.db
    .updateTable("links")
    .set({ delete_at_end: null })
    .where("id", "=", link.id)
    .where("delete_at_end", "=", 1)
    .where("expires_at", "<=", tx.now)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new RetryTransaction();
  return true;
}

/** What is not in the tree any more stays where it is. */
async function moveSubject(tx: Tx, link: LinksTable, keepMs: number): Promise<void> {
  const { subject_kind: kind, subject_id: id } = link;
  if (kind === "file") {
    await trashFiles(tx, { ids: [id], keepMs });
    return;
  }
  const folder = await selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
  if (folder !== undefined) await trashFolder(tx, { id, keepMs });
}
