import { type Selectable, sql } from "kysely";
import type { FileRecord } from "../../domain/records.ts";
import { evenChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import { nameColumns } from "../records/name-columns.ts";
import type { FilesTable } from "../tables/tree.ts";

/** Writes the places of existing files, and their properties that do not depend on their contents. */
export async function updateProperties(tx: Tx, files: readonly FileRecord[]): Promise<void> {
  for (const items of evenChunks(files.map(toRow))) {
    await tx.all(updateRows(items.length), { items, shared: {} });
  }
}

type Row = Pick<
  Selectable<FilesTable>,
  | "id"
  | "folder_id"
  | "name"
  | "natural_name"
  | "mime_type"
  | "visibility"
  | "meta"
  | "charset"
  | "modified_at"
  | "updated_at"
  | "expires_at"
>;

const toRow = (file: FileRecord): Row => ({
  id: file.id,
  folder_id: file.folderId,
  ...nameColumns(file.name),
  mime_type: file.mimeType,
  visibility: file.visibility,
  meta: file.metadata,
  charset: file.charset,
  modified_at: file.modifiedAt,
  updated_at: file.updatedAt,
  expires_at: file.expiresAt,
});

/** A list of values has no column names; both engines call them so. */
interface Values {
  column1: Row["id"];
  column2: Row["folder_id"];
  column3: Row["name"];
  column4: Row["natural_name"];
  column5: Row["mime_type"];
  column6: Row["visibility"];
  column7: Row["meta"];
  column8: Row["charset"];
  column9: Row["modified_at"];
  column10: Row["updated_at"];
  column11: Row["expires_at"];
}

const updateRows = preparedForItems<Row, Record<never, never>, unknown>((db, files) => {
  const text = (value: unknown) => sql`cast(${value} as text)`;
  const integer = (value: unknown) => sql`cast(${value} as bigint)`;
  const rows = files.map(
    (file) =>
      sql`(${sql.join([
        text(file("id")),
        text(file("folder_id")),
        text(file("name")),
        text(file("natural_name")),
        text(file("mime_type")),
        text(file("visibility")),
        text(file("meta")),
        text(file("charset")),
        integer(file("modified_at")),
        integer(file("updated_at")),
        integer(file("expires_at")),
      ])})`,
  );
  return db
    .updateTable("files")
    .from(sql<Values>`(values ${sql.join(rows)})`.as("new"))
    .set((eb) => ({
      folder_id: eb.ref("new.column2"),
      name: eb.ref("new.column3"),
      natural_name: eb.ref("new.column4"),
      mime_type: eb.ref("new.column5"),
      visibility: eb.ref("new.column6"),
      meta: eb.ref("new.column7"),
      charset: eb.ref("new.column8"),
      modified_at: eb.ref("new.column9"),
      updated_at: eb.ref("new.column10"),
      expires_at: eb.ref("new.column11"),
    }))
    .whereRef("files.id", "=", "new.column1");
});
