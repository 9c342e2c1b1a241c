import type { Selectable } from "kysely";
import { joinKey, keyNames } from "../../domain/names/name.ts";
import type { FolderRecord, Name } from "../../domain/records.ts";
import { evenChunks } from "../engine/chunks.ts";
import { newId } from "../engine/ids.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { FoldersTable } from "../tables/tree.ts";

/** What a folder itself sets for new files in it. */
export type FolderDefaultsOf = Pick<FolderRecord, "defaultVisibility" | "expireAfter">;

/** A folder to be inserted. Fault "invalid": its key is too long or too deep. */
export const newFolder = (
  tx: Tx,
  parent: FolderRecord,
  name: Name,
  { defaultVisibility = null, expireAfter = null }: Partial<FolderDefaultsOf> = {},
): FolderRecord => ({
  id: newId(tx.now),
  parentId: parent.id,
  name,
  key: joinKey([...keyNames(parent.key), name]),
  createdAt: tx.now,
  updatedAt: tx.now,
  defaultVisibility,
  inheritedVisibility: defaultVisibility ?? parent.inheritedVisibility,
  expireAfter,
  inheritedExpireAfter: expireAfter ?? parent.inheritedExpireAfter,
});

/** A parent must come before what it contains. `implicit`: as in the table. Default: 0. */
export async function insertFolders(
  tx: Tx,
  folders: readonly FolderRecord[],
  implicit: 0 | 1 = 0,
): Promise<void> {
  for (const items of evenChunks(folders.map((folder) => toRow(folder, implicit)))) {
    await tx.all(insertRows(items.length), { items, shared: {} });
  }
}

const toRow = (folder: FolderRecord, implicit: 0 | 1): Row => ({
  id: folder.id,
  parent_id: folder.parentId,
  name: folder.name,
  key: folder.key,
  created_at: folder.createdAt,
  updated_at: folder.updatedAt,
  implicit,
  default_visibility: folder.defaultVisibility,
  inherited_visibility: folder.inheritedVisibility,
  expire_after: folder.expireAfter,
  inherited_expire_after: folder.inheritedExpireAfter,
});

type Row = Omit<Selectable<FoldersTable>, "bucket_settings">;

const insertRows = preparedForItems<Row, Record<never, never>, unknown>((db, folders) =>
  db.insertInto("folders").values(
    folders.map((folder) => ({
      id: folder("id"),
      parent_id: folder("parent_id"),
      name: folder("name"),
      key: folder("key"),
      created_at: folder("created_at"),
      updated_at: folder("updated_at"),
      implicit: folder("implicit"),
      default_visibility: folder("default_visibility"),
      inherited_visibility: folder("inherited_visibility"),
      expire_after: folder("expire_after"),
      inherited_expire_after: folder("inherited_expire_after"),
    })),
  ),
);
