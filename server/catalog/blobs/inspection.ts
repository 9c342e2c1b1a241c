import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import type { Schema } from "../engine/schema.ts";
import type { CatalogDefect, CatalogDefectKind, CatalogInspection } from "../port/inspection.ts";
import { MAX_DEFECTS } from "../port/inspection.ts";
import { findWrongQuotas } from "../quotas/read-quotas.ts";
import { isLive } from "../records/outside-tree.ts";
import { isUnfinished } from "../records/select-multiparts.ts";
import { isOpen } from "../records/select-uploads.ts";
import { type Found, findLostVersions, findWrongTrash } from "./inspect-trash.ts";

/** One statement for each kind of defect, so that each sees the catalog at one moment. */
const finders: Readonly<
  Record<Exclude<CatalogDefectKind, "storage">, (db: Kysely<Schema>) => Promise<Found[]>>
> = {
  root: findRoots,
  "no-parent": findLostFolders,
  "folder-key": findWrongKeys,
  "folder-visibility": findWrongVisibility,
  "no-folder": findLostFiles,
  "same-name": findSameNames,
  condemned: findCondemned,
  trash: findWrongTrash,
  version: findLostVersions,
  quota: findWrongQuotas,
};

export function createInspection({ db, findDamage }: Engine): CatalogInspection {
  return {
    async *inspect() {
      const damage = await findDamage();
      yield* damage.map(
        (detail): CatalogDefect => ({ problem: "storage", id: null, detail: detail.trim() }),
      );
      if (damage.length > 0) return;
      for (const [problem, find] of entries(finders)) {
        for (const { id, detail } of await find(db)) yield { problem, id, detail };
      }
    },
  };
}

function entries<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  const all: [K, V][] = [];
  for (const key in record) all.push([key, record[key]]);
  return all;
}

async function findRoots(db: Kysely<Schema>): Promise<Found[]> {
  const roots = await db
    .selectFrom("folders")
    .select(["id", "name", "key"])
    .where("parent_id", "is", null)
    .where(isLive)
    .orderBy("id")
    .limit(MAX_DEFECTS)
    .execute();
  if (roots.length === 0) return [{ id: null, detail: "there is no root folder" }];
  const wrong = roots.filter(({ name, key }) => name !== "" || key !== "");
  if (wrong.length === 0 && roots.length > 1) wrong.push(...roots.slice(1));
  return wrong.map(({ id, key }) => ({
    id,
    detail: `"${key}" has no parent, though it is not the root`,
  }));
}

async function findLostFolders(db: Kysely<Schema>): Promise<Found[]> {
  const rows = await db
    .selectFrom("folders")
    .leftJoin("folders as parents", "parents.id", "folders.parent_id")
    .select(["folders.id", "folders.key", "folders.parent_id as parentId"])
    .where("folders.parent_id", "is not", null)
    .where("parents.id", "is", null)
    .limit(MAX_DEFECTS)
    .execute();
  return rows.map(({ id, key, parentId }) => ({
    id,
    detail: `the folder "${key}" is in ${parentId}, which does not exist`,
  }));
}

async function findWrongKeys(db: Kysely<Schema>): Promise<Found[]> {
  const right = sql<string>`case when parents.key = '' then folders.name else parents.key || '/' || folders.name end`;
  const rows = await db
    .selectFrom("folders")
    .innerJoin("folders as parents", "parents.id", "folders.parent_id")
    .select(["folders.id", "folders.key", right.as("right")])
    .where("folders.key", "<>", sql<never>`${right}`)
    .limit(MAX_DEFECTS)
    .execute();
  return rows.map(({ id, key, right }) => ({
    id,
    detail: `the folder has the key "${key}", but its name and parent give "${right}"`,
  }));
}

async function findWrongVisibility(db: Kysely<Schema>): Promise<Found[]> {
  const right = sql<string>`coalesce(folders.default_visibility, parents.inherited_visibility, '')`;
  const rows = await db
    .selectFrom("folders")
    .innerJoin("folders as parents", "parents.id", "folders.parent_id")
    .select(["folders.id", "folders.key", right.as("right")])
    .where(sql<string>`coalesce(folders.inherited_visibility, '')`, "<>", right)
    .limit(MAX_DEFECTS)
    .execute();
  return rows.map(({ id, key, right }) => ({
    id,
    detail: `new files of the folder "${key}" do not get the default visibility "${right}" that it inherits`,
  }));
}

async function findLostFiles(db: Kysely<Schema>): Promise<Found[]> {
  const rows = await db
    .selectFrom("files")
    .leftJoin("folders", "folders.id", "files.folder_id")
    .select(["files.id", "files.name", "files.folder_id as folderId"])
    .where("folders.id", "is", null)
    .limit(MAX_DEFECTS)
    .execute();
  return rows.map(({ id, name, folderId }) => ({
    id,
    detail: `the file "${name}" is in ${folderId}, which does not exist`,
  }));
}

async function findSameNames(db: Kysely<Schema>): Promise<Found[]> {
  const rows = await db
    .selectFrom("folders")
    .innerJoin("files", (join) =>
      join
        .onRef("files.folder_id", "=", "folders.parent_id")
        .onRef("files.name", "=", "folders.name"),
    )
    .select(["files.id", "folders.id as folderId", "folders.key"])
    .limit(MAX_DEFECTS)
    .execute();
  return rows.map(({ id, folderId, key }) => ({
    id,
    detail: `"${key}" is both a file and a folder (${folderId})`,
  }));
}

async function findCondemned(db: Kysely<Schema>): Promise<Found[]> {
  const rows = await db
    .selectFrom("condemned")
    .innerJoin("files", "files.blob_id", "condemned.blob_id")
    .select(["files.id", "files.name"])
    .limit(MAX_DEFECTS)
    .execute();
  const files = rows.map(({ id, name }) => ({
    id,
    detail: `the blob of the file "${name}" is condemned, as that of a deleted file`,
  }));
  return [...files, ...(await findCondemnedUploads(db))];
}

async function findCondemnedUploads(db: Kysely<Schema>): Promise<Found[]> {
  const open = db
    .selectFrom("condemned")
    .innerJoin("uploads", "uploads.blob_id", "condemned.blob_id")
    .select(["uploads.id", sql<string>`'the open upload'`.as("what")])
    .where(isOpen);
  const tails = db
    .selectFrom("condemned")
    .innerJoin("uploads", "uploads.tail_blob_id", "condemned.blob_id")
    .select(["uploads.id", sql<string>`'the open upload'`.as("what")]);
  const members = db
    .selectFrom("condemned")
    .innerJoin("batch_members", "batch_members.blob_id", "condemned.blob_id")
    .select(["batch_members.batch_id as id", sql<string>`'a file of the batch'`.as("what")]);
  const versions = db
    .selectFrom("condemned")
    .innerJoin("versions", "versions.blob_id", "condemned.blob_id")
    .select(["versions.id", sql<string>`'the version'`.as("what")]);
  const multiparts = db
    .selectFrom("condemned")
    .innerJoin("multipart_uploads", "multipart_uploads.blob_id", "condemned.blob_id")
    .select(["multipart_uploads.id", sql<string>`'the multipart upload'`.as("what")])
    .where(isUnfinished);
  const parts = db
    .selectFrom("condemned")
    .innerJoin("multipart_parts", "multipart_parts.blob_id", "condemned.blob_id")
    .select(["multipart_parts.upload_id as id", sql<string>`'the multipart upload'`.as("what")]);
  const rows = await open
    .unionAll(tails)
    .unionAll(members)
    .unionAll(versions)
    .unionAll(multiparts)
    .unionAll(parts)
    .limit(MAX_DEFECTS)
    .execute();
  return rows.map(({ id, what }) => ({
    id,
    detail: `a blob of ${what} ${id} is condemned, as that of a deleted file`,
  }));
}
