import type { Kysely, SqlBool } from "kysely";
import { sql } from "kysely";
import type { Schema } from "../engine/schema.ts";
import { MAX_DEFECTS } from "../port/inspection.ts";
import { isKept, isLive, isTrashed } from "../records/outside-tree.ts";

/** A defect of the kind that is looked for. */
export interface Found {
  readonly id: string | null;
  readonly detail: string;
}

export async function findWrongTrash(db: Kysely<Schema>): Promise<Found[]> {
  return [...(await findLostTrash(db)), ...(await findEmptyItems(db))];
}

/** Folders in the trash, and those that hide files, which no item knows. */
async function findLostTrash(db: Kysely<Schema>): Promise<Found[]> {
  const rows = await db
    .selectFrom("folders")
    .select(["folders.id", "folders.name"])
    .where(isTrashed)
    .where("folders.parent_id", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("trash_items")
            .select("trash_items.subject_id")
            .whereRef("trash_items.subject_id", "=", "folders.id"),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("files")
            .innerJoin("trash_items", "trash_items.subject_id", "files.id")
            .select("files.id")
            .whereRef("files.folder_id", "=", "folders.id"),
        ),
      ),
    )
    .limit(MAX_DEFECTS)
    .execute();
  return rows.map(({ id, name }) => ({
    id,
    detail: `the folder "${name}" is in the trash, but in no deletion`,
  }));
}

/** Items whose file or folder is not in the trash. */
async function findEmptyItems(db: Kysely<Schema>): Promise<Found[]> {
  const rows = await db
    .selectFrom("trash_items")
    .leftJoin("files", "files.id", "trash_items.subject_id")
    .leftJoin("folders", (join) =>
      join.on((eb) =>
        eb("folders.id", "=", eb.fn.coalesce("files.folder_id", "trash_items.subject_id")),
      ),
    )
    .select(["trash_items.subject_id as id", "trash_items.key"])
    .where(sql<SqlBool>`(folders.id is null or ${isLive} or not ${isKept})`)
    .limit(MAX_DEFECTS)
    .execute();
  return rows.map(({ id, key }) => ({
    id,
    detail: `a deletion has "${key}", which is not in the trash`,
  }));
}

export async function findLostVersions(db: Kysely<Schema>): Promise<Found[]> {
  const rows = await db
    .selectFrom("versions")
    .leftJoin("files", "files.id", "versions.file_id")
    .select(["versions.id", "versions.file_id as fileId"])
    .where("files.id", "is", null)
    .limit(MAX_DEFECTS)
    .execute();
  return rows.map(({ id, fileId }) => ({
    id,
    detail: `it is a version of the file ${fileId}, which does not exist`,
  }));
}
