import type { Kysely, SqlBool } from "kysely";
import { sql } from "kysely";
import { giveWay } from "../../lib/time-slices.ts";
import type { Schema } from "../engine/schema.ts";
import type { StoredBlob } from "../port/blob-ledger.ts";
import { removedMark } from "../records/outside-tree.ts";

/** Blobs of removed folders are skipped in batches of this size. */
const PAST_REMOVED = 1000;

export function createBlobsAfter(db: Kysely<Schema>) {
  const ofFiles = (after: number, size: number) =>
    db
      .selectFrom("files")
      .innerJoin("folders", "folders.id", "files.folder_id")
      .select([
        "files.blob_id as blobId",
        "files.size",
        "files.checksum",
        "files.sha256",
        "files.id as fileId",
        removedMark.as("removed"),
      ])
      .where(sql<SqlBool>`files.blob_id > ${after}`)
      .orderBy("files.blob_id")
      .limit(size);

  const ofVersions = (after: number, size: number) =>
    db
      .selectFrom("versions")
      .innerJoin("files", "files.id", "versions.file_id")
      .innerJoin("folders", "folders.id", "files.folder_id")
      .select([
        "versions.blob_id as blobId",
        "versions.size",
        "versions.checksum",
        "versions.sha256",
        "versions.file_id as fileId",
        removedMark.as("removed"),
      ])
      .where(sql<SqlBool>`versions.blob_id > ${after}`)
      .orderBy("versions.blob_id")
      .limit(size);

  return async function blobsAfter(after: number, limit: number): Promise<StoredBlob[]> {
    const found: StoredBlob[] = [];
    let position = after;
    let size = limit;
    for (;;) {
      // One statement: a content may become a version, or a version the content.
      const rows = await db
        .selectFrom(ofFiles(position, size).as("of_files"))
        .selectAll()
        .unionAll(db.selectFrom(ofVersions(position, size).as("of_versions")).selectAll())
        .orderBy("blobId")
        .limit(size)
        .execute();
      for (const { removed, ...blob } of rows) {
        if (removed === 0) found.push(blob);
        if (found.length === limit) return found;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < size) return found;
      position = last.blobId;
      size = Math.max(limit, PAST_REMOVED);
      await giveWay();
    }
  };
}
