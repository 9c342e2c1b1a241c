import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { MultipartRecord, PartRecord } from "../../semantics/s3/multipart.ts";
import type { Schema } from "../engine/schema.ts";
import type { MultipartPartsTable, MultipartUploadsTable } from "../tables/multiparts.ts";

/**
 * The condition of uploads whose blob is theirs. In the text of the statement, so that the engines use
 * the index of the blobs.
 */
export const isUnfinished = sql<boolean>`multipart_uploads.state <> 'finished'`;

export const selectMultiparts = (db: Kysely<Schema>) =>
  db.selectFrom("multipart_uploads").selectAll();

export const toMultipart = (row: MultipartUploadsTable): MultipartRecord => ({
  id: row.id,
  bucket: row.bucket,
  key: row.key,
  maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
  attributes: JSON.parse(row.attributes),
  blobId: row.blob_id,
  partSize: row.part_size,
  state: row.state,
  fileId: row.file_id,
  etag: row.etag,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

export const selectStoredParts = (db: Kysely<Schema>) =>
  db.selectFrom("multipart_parts").selectAll().where("state", "=", "stored");

export const toPart = (row: MultipartPartsTable): PartRecord => ({
  number: row.number,
  size: row.size,
  md5: row.md5,
  checksum: row.checksum,
  checksums: row.s3_checksums === null ? {} : JSON.parse(row.s3_checksums),
  blobId: row.blob_id,
  modifiedAt: row.modified_at,
});
