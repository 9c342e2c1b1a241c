import type { Kysely } from "kysely";
import { sql } from "kysely";
import { compareUtf8 } from "../../../contract/text/utf8-order.ts";
import type { FileRecord, Millis, Name } from "../../domain/records.ts";
import {
  compiledOnce,
  type Param,
  perShape,
  type StatementRunner,
} from "../engine/prepared-statement.ts";
import type { Schema } from "../engine/schema.ts";
import { isLasting } from "../records/outside-tree.ts";
import { selectFileRows } from "../records/select-records.ts";

/** A file or subfolder of a folder. */
export type ObjectChild = ChildFile | ChildFolder;

export interface ChildFile {
  readonly isFolder: 0;
  /** As the key goes on after that of the folder; of a folder with a slash at the end. */
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
  readonly content: FolderContent;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** What is directly in a folder; "unknown" also if it was not asked for. */
export type FolderContent = "files" | "nothing" | "unknown";

export interface ChildrenRequest {
  readonly folderId: string;
  /** Children from this `sort` on. */
  readonly from: string;
  readonly limit: number;
}

/**
 * The first children of a folder, in the order of their `sort`. `purpose` "heads": asks for the content
 * of subfolders.
 */
export async function readChildren(
  runner: Pick<StatementRunner, "all">,
  request: ChildrenRequest,
  purpose: "content" | "heads",
): Promise<ObjectChild[]> {
  const rows = await runner.all(selectChildren(purpose), request);
  // Files and folders each come in order.
  return rows.map(toChild).sort(byObject).slice(0, request.limit);
}

export const byObject = (a: ObjectChild, b: ObjectChild): number => compareUtf8(a.sort, b.sort);

export type ChildRow = Omit<FileRecord, "key"> & {
  readonly isFolder: 0 | 1;
  readonly implicit: 0 | 1;
  readonly content: FolderContent;
};

function toChild({ isFolder, implicit, content, ...file }: ChildRow): ObjectChild {
  const { id, folderId: parentId, name, createdAt, updatedAt } = file;
  if (isFolder === 0) return { isFolder, sort: name, file };
  const sort = `${name}/`;
  return { isFolder, sort, id, parentId, name, implicit, content, createdAt, updatedAt };
}

const selectChildren = perShape(
  (purpose: "content" | "heads") => purpose,
  (purpose) =>
    compiledOnce((db, param: Param<ChildrenRequest>) =>
      filesFrom(db, param).unionAll(foldersFrom(db, param, purpose)),
    ),
);

/** A limit is only allowed in a subquery. */
function filesFrom(db: Kysely<Schema>, param: Param<ChildrenRequest>) {
  const files = selectFileRows(db)
    .select([sql`0`.as("isFolder"), sql`0`.as("implicit"), sql`'unknown'`.as("content")])
    .where("files.folder_id", "=", param("folderId"))
    .where("files.name", ">=", sql<Name>`${param("from")}`)
    .where(isLasting)
    .orderBy("files.name")
    .limit(param("limit"));
  return db.selectFrom(files.$castTo<ChildRow>().as("children")).selectAll();
}

function foldersFrom(
  db: Kysely<Schema>,
  param: Param<ChildrenRequest>,
  purpose: "content" | "heads",
) {
  // Not with `exists`: for that, PostgreSQL may read all files into a hash table.
  const hasFile = sql`(select 1 from files where files.folder_id = folders.id and ${isLasting} limit 1) is not null`;
  const hasFolder = sql`(select 1 from folders as inside where inside.parent_id = folders.id limit 1) is not null`;
  const content = sql`case when ${hasFile} then 'files' when ${hasFolder} then 'unknown' else 'nothing' end`;
  const none = sql`cast(null as text)`;
  const noNumber = sql`cast(null as bigint)`;
  const folders = db
    .selectFrom("folders")
    .select([
      "folders.id",
      "folders.parent_id as folderId",
      "folders.name",
      none.as("mimeType"),
      noNumber.as("size"),
      none.as("visibility"),
      noNumber.as("blobId"),
      noNumber.as("checksum"),
      none.as("sha256"),
      none.as("metadata"),
      none.as("s3"),
      none.as("charset"),
      noNumber.as("modifiedAt"),
      "folders.created_at as createdAt",
      "folders.updated_at as updatedAt",
      noNumber.as("expiresAt"),
      sql`1`.as("isFolder"),
      "folders.implicit",
      (purpose === "heads" ? content : sql`'unknown'`).as("content"),
    ])
    .where("folders.parent_id", "=", param("folderId"))
    .where(objectName, ">=", param("from"))
    .orderBy(objectName)
    .limit(param("limit"));
  return db.selectFrom(folders.$castTo<ChildRow>().as("children")).selectAll();
}

/** The name of a folder in the keys of objects, which ends with a slash; the expression of an index. */
const objectName = sql<string>`(folders.name || '/')`;
