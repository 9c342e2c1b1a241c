import { type Selectable, sql } from "kysely";
import type { FileRecord } from "../../domain/records.ts";
import { evenChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { FilesTable } from "../tables/tree.ts";

/** Writes the contents of existing files, and their properties that depend on it. */
export async function updateContents(tx: Tx, files: readonly FileRecord[]): Promise<void> {
  for (const items of evenChunks(files.map(toRow))) {
    await tx.all(updateRows(items.length), { items, shared: {} });
  }
}

type Row = Omit<
  Selectable<FilesTable>,
  "folder_id" | "name" | "natural_name" | "created_at" | "kept_public"
>;

const toRow = (file: FileRecord): Row => ({
  id: file.id,
  mime_type: file.mimeType,
  size: file.size,
  visibility: file.visibility,
  blob_id: file.blobId,
  checksum: file.checksum,
  sha256: file.sha256,
  meta: file.metadata,
  s3: file.s3,
  charset: file.charset,
  modified_at: file.modifiedAt,
  updated_at: file.updatedAt,
  expires_at: file.expiresAt,
});

/** A list of values has no column names; both engines call them so. */
interface Values {
  column1: Row["id"];
  column2: Row["mime_type"];
  column3: Row["size"];
  column4: Row["visibility"];
  column5: Row["blob_id"];
  column6: Row["checksum"];
  column7: Row["sha256"];
  column8: Row["meta"];
  column9: Row["s3"];
  column10: Row["charset"];
  column11: Row["modified_at"];
  column12: Row["updated_at"];
  column13: Row["expires_at"];
}

const updateRows = preparedForItems<Row, Record<never, never>, unknown>((db, files) => {
  const text = (value: unknown) => sql`cast(${value} as text)`;
  const integer = (value: unknown) => sql`cast(${value} as bigint)`;
  const rows = files.map(
    (file) =>
      sql`(${sql.join([
        text(file("id")),
        text(file("mime_type")),
        integer(file("size")),
        text(file("visibility")),
        integer(file("blob_id")),
        integer(file("checksum")),
        text(file("sha256")),
        text(file("meta")),
        text(file("s3")),
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
      mime_type: eb.ref("new.column2"),
      size: eb.ref("new.column3"),
      visibility: eb.ref("new.column4"),
      blob_id: eb.ref("new.column5"),
      checksum: eb.ref("new.column6"),
      sha256: eb.ref("new.column7"),
      meta: eb.ref("new.column8"),
      s3: eb.ref("new.column9"),
      charset: eb.ref("new.column10"),
      modified_at: eb.ref("new.column11"),
      updated_at: eb.ref("new.column12"),
      expires_at: eb.ref("new.column13"),
    }))
    .whereRef("files.id", "=", "new.column1");
});
