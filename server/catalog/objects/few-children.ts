import { sql } from "kysely";
import type { FileRecord, Name } from "../../domain/records.ts";
import type { ListedFolder } from "../../domain/tree-change.ts";
import { compiledForItems, NOW, type StatementRunner } from "../engine/prepared-statement.ts";
import { isLasting } from "../records/outside-tree.ts";
import { fileColumns } from "../records/select-records.ts";
import { byObject, type ObjectChild } from "./object-children.ts";

/** At most this number of files and of folders are read of each folder. */
export const FEW = 16;

/** After every name. */
const LAST = "\u{10ffff}".repeat(64);

/** The first children of each of the folders, at most `FEW` in the order of their `sort`. */
export async function readFewChildren(
  runner: Pick<StatementRunner, "all">,
  folderIds: readonly string[],
): Promise<Map<string, ObjectChild[]>> {
  const count = 2 ** Math.ceil(Math.log2(folderIds.length));
  // No folder has the id "".
  const ids = Array.from({ length: count }, (_, index) => folderIds[index] ?? "");
  const input = { items: ids.map((id) => ({ id })), shared: {} };
  const children = new Map<string, ObjectChild[]>(folderIds.map((id) => [id, []]));
  for (const file of await runner.all(selectFiles(count), input)) {
    children.get(file.folderId)?.push({ isFolder: 0, sort: file.name, file });
  }
  for (const { parentId, name, ...folder } of await runner.all(selectFolders(count), input)) {
    const place = { sort: `${name}/`, parentId, name };
    children.get(parentId)?.push({ isFolder: 1, content: "unknown", ...place, ...folder });
  }
  for (const [id, found] of children) children.set(id, found.sort(byObject).slice(0, FEW));
  return children;
}

type Item = { readonly id: string };

/** The folders first, so that each one limits the walk along the index of its files. */
const selectFiles = compiledForItems<Item, Record<never, never>, Omit<FileRecord, "key">>(
  (db, items) =>
    db
      .selectFrom("folders as parents")
      .crossJoin("files")
      .select(fileColumns)
      .whereRef("files.folder_id", "=", "parents.id")
      .where(isLasting)
      .where(
        "parents.id",
        "in",
        items.map((item) => item("id")),
      )
      .where(
        "files.name",
        "<=",
        sql<Name>`coalesce((select last.name from files as last where last.folder_id = parents.id and (last.expires_at is null or last.expires_at > ${NOW}) order by last.name limit 1 offset ${sql.lit(FEW - 1)}), ${LAST})`,
      ),
);

type Folder = Omit<ListedFolder, "key" | "name" | "parentId"> & {
  readonly parentId: string;
  readonly name: Name;
  readonly implicit: 0 | 1;
};

const selectFolders = compiledForItems<Item, Record<never, never>, Folder>((db, items) =>
  db
    .selectFrom("folders as parents")
    .crossJoin("folders")
    .whereRef("folders.parent_id", "=", "parents.id")
    .select([
      "folders.id",
      sql<string>`folders.parent_id`.as("parentId"),
      sql<Name>`folders.name`.as("name"),
      "folders.implicit",
      "folders.created_at as createdAt",
      "folders.updated_at as updatedAt",
    ])
    .where(
      "parents.id",
      "in",
      items.map((item) => item("id")),
    )
    .where(
      sql<string>`(folders.name || '/')`,
      "<=",
      sql<string>`coalesce((select last.name || '/' from folders as last where last.parent_id = parents.id order by (last.name || '/') limit 1 offset ${sql.lit(FEW - 1)}), ${LAST})`,
    ),
);
