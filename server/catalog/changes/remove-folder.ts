import { Fault } from "../../rules/fault.ts";
import { isBelow } from "../select-records.ts";
import type { Tx } from "../tx.ts";
import { folderForChange } from "./folder-path.ts";

export async function removeFolder(
  tx: Tx,
  id: string,
): Promise<{ files: number; folders: number }> {
  const folder = await folderForChange(tx, id);
  if (folder === undefined) throw new Fault("missing", "No such folder.");
  if (folder.parentId === null) throw new Fault("invalid", "The root folder cannot be deleted.");
  const inside = tx.db
    .selectFrom("folders")
    .select("folders.id")
    .where((eb) => eb.or([eb("folders.id", "=", id), isBelow(folder.key)(eb)]));
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
  const folders = await tx.db
    .deleteFrom("folders")
    .where((eb) => eb.or([eb("folders.id", "=", id), isBelow(folder.key)(eb)]))
    .executeTakeFirst();
  return { files: Number(files.numDeletedRows), folders: Number(folders.numDeletedRows) };
}
