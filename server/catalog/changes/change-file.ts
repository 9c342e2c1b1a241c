import { Fault } from "../../rules/fault.ts";
import { mediaTypeAfterRename } from "../../rules/media.ts";
import { childKey } from "../../rules/name.ts";
import type { FileRecord, FolderRecord, Name, Visibility } from "../../rules/records.ts";
import { selectFiles } from "../select-records.ts";
import { nameTaken, takenBy } from "../taken-names.ts";
import type { Tx } from "../tx.ts";
import { folderForChange } from "./folder-path.ts";

export async function changeFile(
  tx: Tx,
  input: { id: string; name?: Name; visibility?: Visibility },
): Promise<FileRecord> {
  const { file, folder } = await lockFile(tx, input.id);
  const { name = file.name, visibility = file.visibility } = input;
  const renamed = name !== file.name;
  if (!renamed && visibility === file.visibility) return file;
  const key = renamed ? await freeKey(tx, folder, name) : file.key;
  const mimeType = renamed ? mediaTypeAfterRename(file.name, name, file.mimeType) : file.mimeType;
  const changed = { ...file, name, key, mimeType, visibility, updatedAt: tx.now };
  await tx.db
    .updateTable("files")
    .set({ name, mime_type: mimeType, visibility, updated_at: changed.updatedAt })
    .where("id", "=", file.id)
    .execute();
  return changed;
}

async function lockFile(tx: Tx, id: string): Promise<{ file: FileRecord; folder: FolderRecord }> {
  const found = await tx.db
    .selectFrom("files")
    .select("folder_id")
    .where("id", "=", id)
    .executeTakeFirst();
  const folder = found && (await folderForChange(tx, found.folder_id));
  const file = await selectFiles(tx.db).where("files.id", "=", id).executeTakeFirst();
  if (file === undefined || folder === undefined) throw new Fault("missing", "No such file.");
  return { file, folder };
}

async function freeKey(tx: Tx, folder: FolderRecord, name: Name) {
  const key = childKey(folder.key, name);
  const holder = await takenBy(tx.db, folder.id, name);
  if (holder !== undefined) throw nameTaken(holder, name);
  return key;
}
