import { sql } from "kysely";
import { Fault } from "../../rules/fault.ts";
import { childKey, joinKey, keyNames } from "../../rules/name.ts";
import type { FolderRecord, Key, Name, Visibility } from "../../rules/records.ts";
import { isBelow, selectFolders } from "../select-records.ts";
import { nameTaken, takenBy } from "../taken-names.ts";
import type { Tx } from "../tx.ts";
import { folderForChange } from "./folder-path.ts";
import { refuseLongKeys } from "./long-keys.ts";

export async function changeFolder(
  tx: Tx,
  input: { id: string; name?: Name; visibility?: Visibility },
): Promise<FolderRecord> {
  const folder = await selectFolders(tx.db).where("folders.id", "=", input.id).executeTakeFirst();
  if (folder === undefined) throw new Fault("missing", "No such folder.");
  const changed = input.name === undefined ? folder : await rename(tx, folder, input.name);
  if (input.visibility !== undefined) await cascade(tx, changed.key, input.visibility);
  return changed;
}

async function rename(tx: Tx, folder: FolderRecord, name: Name): Promise<FolderRecord> {
  if (folder.parentId === null) throw new Fault("invalid", "The root folder cannot be renamed.");
  if (name === folder.name) return folder;
  await folderForChange(tx, folder.parentId);
  const key = childKey(joinKey(keyNames(folder.key).slice(0, -1)), name);
  const holder = await takenBy(tx.db, folder.parentId, name);
  if (holder !== undefined) throw nameTaken(holder, name);
  await refuseLongKeys(tx.db, folder.key, key);
  const changed = { ...folder, name, key, updatedAt: tx.now };
  await tx.db
    .updateTable("folders")
    .set({ name, key, updated_at: changed.updatedAt })
    .where("id", "=", folder.id)
    .execute();
  // Lengths in SQL: both engines count characters as `substr` does, and JavaScript does not.
  await tx.db
    .updateTable("folders")
    .set({
      key: sql<Key>`cast(${key} as text) || substr(key, length(cast(${folder.key} as text)) + 1)`,
    })
    .where(isBelow(folder.key))
    .execute();
  return changed;
}

async function cascade(tx: Tx, key: Key, visibility: Visibility): Promise<void> {
  await tx.db
    .updateTable("files")
    .set({ visibility, updated_at: tx.now })
    .where("visibility", "<>", visibility)
    .$if(key !== "", (query) =>
      query.where("folder_id", "in", (eb) =>
        eb
          .selectFrom("folders")
          .select("folders.id")
          .where((where) => where.or([where("folders.key", "=", key), isBelow(key)(where)])),
      ),
    )
    .execute();
}
