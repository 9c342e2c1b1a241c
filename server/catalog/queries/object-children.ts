import type { Expression, Kysely } from "kysely";
import { sql } from "kysely";
import type { FileRecord, Millis, Name } from "../../rules/records.ts";
import { compareUtf8 } from "../../rules/s3/utf8-order.ts";
import { compiledForItems, type StatementRunner } from "../prepared-statement.ts";
import type { Schema } from "../schema.ts";
import { selectFileRows } from "./select-records.ts";

/** A file or subfolder of a folder. */
export type ObjectChild = ChildFile | ChildFolder;

export interface ChildFile {
  readonly isFolder: 0;
  /** As the key begins after that of the folder; of a folder with a slash at the end. */
  readonly sort: string;
  readonly file: Omit<FileRecord, "key">;
}

export interface ChildFolder {
  readonly isFolder: 1;
  readonly sort: string;
  readonly id: string;
  readonly parentId: string;
  readonly name: Name;
  readonly implicit: 0 | 1;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

export interface ChildrenRequest {
  readonly folderId: string;
  /** Children from this `sort` on. */
  readonly from: string;
}

/**
 * At most `limit` first children of each of the folders, in the order of their `sort`, found by one
 * statement.
 */
export async function readChildren(
  runner: Pick<StatementRunner, "all">,
  requests: readonly ChildrenRequest[],
  limit: number,
): Promise<ObjectChild[][]> {
  const count = 2 ** Math.ceil(Math.log2(requests.length));
  // No folder has the id "".
  const padding = Array.from({ length: count - requests.length }, () => ({
    folderId: "",
    from: "",
  }));
  const items = [...requests, ...padding];
  const rows = await runner.all(selectChildren(count), { items, shared: { limit } });
  const children: ObjectChild[][] = requests.map(() => []);
  for (const row of rows) children[row.item]?.push(toChild(row));
  // Files and folders each come in order.
  return children.map((list) => list.sort((a, b) => compareUtf8(a.sort, b.sort)).slice(0, limit));
}

type Row = Omit<FileRecord, "key"> & {
  readonly item: number;
  readonly isFolder: 0 | 1;
  readonly implicit: 0 | 1;
};

function toChild({ item, isFolder, implicit, ...file }: Row): ObjectChild {
  const { id, folderId: parentId, name, createdAt, updatedAt } = file;
  if (isFolder === 0) return { isFolder, sort: name, file };
  return { isFolder, sort: `${name}/`, id, parentId, name, implicit, createdAt, updatedAt };
}

const selectChildren = compiledForItems<ChildrenRequest, { limit: number }, Row>(
  (db, requests, param) => {
    const limit = param("limit");
    const [first, ...rest] = requests.flatMap((request, item) => {
      const place = { item, folderId: request("folderId"), from: request("from"), limit };
      return [filesOf(db, place), foldersOf(db, place)];
    });
    if (first === undefined) throw new Error("No folders were given.");
    return rest.reduce((query, next) => query.unionAll(next), first);
  },
);

interface Place {
  readonly item: number;
  readonly folderId: Expression<string>;
  readonly from: Expression<string>;
  readonly limit: Expression<number>;
}

/** A limit is only allowed in a subquery. */
function filesOf(db: Kysely<Schema>, { item, folderId, from, limit }: Place) {
  const files = selectFileRows(db)
    .select([
      sql<0 | 1>`0`.as("isFolder"),
      sql<0 | 1>`0`.as("implicit"),
      sql<number>`${sql.lit(item)}`.as("item"),
    ])
    .where("files.folder_id", "=", folderId)
    .where("files.name", ">=", sql<Name>`${from}`)
    .orderBy("files.name")
    .limit(limit);
  return db.selectFrom(files.$castTo<Row>().as("children")).selectAll();
}

function foldersOf(db: Kysely<Schema>, { item, folderId, from, limit }: Place) {
  const objectName = sql<string>`(folders.name || '/')`;
  const none = <T>() => sql<T>`cast(null as text)`;
  const noNumber = <T>() => sql<T>`cast(null as bigint)`;
  const folders = db
    .selectFrom("folders")
    .select([
      "folders.id",
      sql<string>`folders.parent_id`.as("folderId"),
      sql<Name>`folders.name`.as("name"),
      none<FileRecord["mimeType"]>().as("mimeType"),
      noNumber<FileRecord["size"]>().as("size"),
      none<FileRecord["visibility"]>().as("visibility"),
      noNumber<FileRecord["blobId"]>().as("blobId"),
      noNumber<FileRecord["checksum"]>().as("checksum"),
      none<FileRecord["sha256"]>().as("sha256"),
      none<FileRecord["metadata"]>().as("metadata"),
      none<FileRecord["s3"]>().as("s3"),
      noNumber<FileRecord["modifiedAt"]>().as("modifiedAt"),
      "folders.created_at as createdAt",
      "folders.updated_at as updatedAt",
      sql<0 | 1>`1`.as("isFolder"),
      "folders.implicit",
      sql<number>`${sql.lit(item)}`.as("item"),
    ])
    .where("folders.parent_id", "=", folderId)
    .where(objectName, ">=", from)
    .orderBy(objectName)
    .limit(limit);
  return db.selectFrom(folders.$castTo<Row>().as("children")).selectAll();
}
