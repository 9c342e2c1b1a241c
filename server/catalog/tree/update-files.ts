import { type RawBuilder, type Selectable, sql } from "kysely";
import type { FileRecord } from "../../domain/records.ts";
import { evenChunks } from "../engine/chunks.ts";
import { preparedForItems, type Value } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import { nameColumns } from "../records/name-columns.ts";
import type { FilesTable } from "../tables/tree.ts";

type Column = Exclude<keyof Selectable<FilesTable>, "created_at" | "kept_public">;

/** The type of each column in a list of values, which has none of its own, and its value of a file. */
const columns: Readonly<Record<Column, readonly ["text" | "bigint", (file: FileRecord) => Value]>> =
  {
    id: ["text", ({ id }) => id],
    folder_id: ["text", ({ folderId }) => folderId],
    name: ["text", ({ name }) => name],
    natural_name: ["text", ({ name }) => nameColumns(name).natural_name],
    mime_type: ["text", ({ mimeType }) => mimeType],
    size: ["bigint", ({ size }) => size],
    visibility: ["text", ({ visibility }) => visibility],
    blob_id: ["bigint", ({ blobId }) => blobId],
    checksum: ["bigint", ({ checksum }) => checksum],
    sha256: ["text", ({ sha256 }) => sha256],
    meta: ["text", ({ metadata }) => metadata],
    s3: ["text", ({ s3 }) => s3],
    charset: ["text", ({ charset }) => charset],
    modified_at: ["bigint", ({ modifiedAt }) => modifiedAt],
    updated_at: ["bigint", ({ updatedAt }) => updatedAt],
    expires_at: ["bigint", ({ expiresAt }) => expiresAt],
  };

type UpdateFiles = (tx: Tx, files: readonly FileRecord[]) => Promise<void>;

/** Writes these columns of existing files, many with one statement. */
function updateOf(written: readonly Exclude<Column, "id">[]): UpdateFiles {
  const names: readonly Column[] = ["id", ...written];
  const rowOf = (file: FileRecord): Record<string, Value> =>
    Object.fromEntries(names.map((name) => [name, columns[name][1](file)]));
  const statements = preparedForItems<Record<string, Value>, Record<never, never>, unknown>(
    (db, files) => {
      const rows = files.map((file) => {
        const values = names.map(
          (name) => sql`cast(${file(name)} as ${sql.raw(columns[name][0])})`,
        );
        return sql`(${sql.join(values)})`;
      });
      // A list of values has no column names; both engines call them column1, column2 and so on.
      const set = Object.fromEntries(
        written.map((name, index): [string, RawBuilder<never>] => [
          name,
          sql<never>`${sql.ref(`new.column${index + 2}`)}`,
        ]),
      );
      return db
        .updateTable("files")
        .from(sql<{ column1: string }>`(values ${sql.join(rows)})`.as("new"))
        .set(set)
        .whereRef("files.id", "=", "new.column1");
    },
  );
  return async (tx, files) => {
    for (const items of evenChunks(files.map(rowOf))) {
      await tx.all(statements(items.length), { items, shared: {} });
    }
  };
}

/** Writes the places of existing files, and their properties that do not depend on their contents. */
export const updateProperties = updateOf([
  ...(["folder_id", "name", "natural_name", "mime_type", "visibility", "meta", "charset"] as const),
  ...(["modified_at", "updated_at", "expires_at"] as const),
]);

/** The columns of a file's place, which stay the same when its content changes. */
const PLACE: readonly string[] = ["id", "folder_id", "name", "natural_name"];

/** Writes the contents of existing files, and all properties but their places. */
export const updateContents = updateOf(
  Object.keys(columns).filter((name): name is Exclude<Column, "id"> => !PLACE.includes(name)),
);
