import { Fault } from "../../rules/fault.ts";
import { isWithin, selectFolders } from "../select-records.ts";
import type { Tx } from "../tx.ts";
import { lockShape, lockSubtree } from "./folder-locks.ts";

export async function removeFolder(
  tx: Tx,
  id: string,
): Promise<{ files: number; folders: number }> {
  await lockShape(tx);
  const folder = await selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
  if (folder === undefined) throw new Fault("missing", "No such folder.");
  if (folder.parentId === null) throw new Fault("invalid", "The root folder cannot be deleted.");
  await lockSubtree(tx, folder.key, []);
  const inside = tx.db.selectFrom("folders").select("folders.id").where(isWithin(folder.key));
  await tx.db
    .insertInto("condemned")
    .columns(["blob_id", "condemned_at"])
    .expression((eb) =>
      eb
        .selectFrom("files")
        .select(["files.blob_id", eb.val(tx.now).as("condemned_at")])
        .where("files.folder_id", "in", inside),
    )
    .execute();
  const files = await tx.db
    .deleteFrom("files")
    .where("files.folder_id", "in", inside)
    .executeTakeFirst();
  const folders = await tx.db.deleteFrom("folders").where(isWithin(folder.key)).executeTakeFirst();
  return { files: Number(files.numDeletedRows), folders: Number(folders.numDeletedRows) };
}
