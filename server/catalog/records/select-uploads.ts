import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Actor } from "../../domain/activity.ts";
import type { BatchMember, BatchRecord, UploadRecord } from "../../domain/uploads.ts";
import type { Schema } from "../engine/schema.ts";
import type { BatchesTable, BatchMembersTable, UploadsTable } from "../tables/uploads.ts";

/**
 * The condition of uploads whose blob is theirs. In the text of the statement, so that the engines use
 * the indexes of open uploads.
 */
export const isOpen = sql<boolean>`uploads.state = 'open'`;

/** As `isOpen`, for batches. */
export const isOpenBatch = sql<boolean>`batches.state = 'open'`;

export const selectUploads = (db: Kysely<Schema>) => db.selectFrom("uploads").selectAll();

export const selectBatches = (db: Kysely<Schema>) => db.selectFrom("batches").selectAll();

export const toUpload = (row: UploadsTable): UploadRecord => ({
  ...capabilityOf(row),
  batchId: row.batch_id,
  folder: row.folder,
  name: row.name,
  contentType: row.content_type,
  visibility: row.visibility,
  lifetime: row.lifetime,
  metadata: row.meta,
  tusMetadata: row.tus_metadata,
  onConflict: row.on_conflict,
  expectedSha256: row.expected_sha256,
  length: row.length,
  maxSize: row.max_size,
  types: JSON.parse(row.types),
  offset: row.offset,
  checksum: row.checksum,
  blobId: row.blob_id,
  growth: row.growth,
  tailBlobId: row.tail_blob_id,
  tailSize: row.tail_size,
  state: row.state,
  fileId: row.file_id,
});

export const toBatch = (row: BatchesTable): BatchRecord => ({
  ...capabilityOf(row),
  folder: row.folder,
  visibility: row.visibility,
  lifetime: row.lifetime,
  onConflict: row.on_conflict,
  state: row.state,
  files: row.files,
  bytes: row.bytes,
  result:
    row.committed_at === null
      ? null
      : {
          added: row.added ?? 0,
          replaced: row.replaced ?? 0,
          skipped: row.skipped ?? 0,
          committedAt: row.committed_at,
        },
});

function capabilityOf(row: UploadsTable | BatchesTable) {
  return {
    id: row.id,
    secretHash: row.secret_hash,
    maker: makerOf(row),
    within: row.folder_ids === "" ? [] : row.folder_ids.split(","),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** The maker of an upload or batch, for the change feed. */
export const makerOf = (row: UploadsTable | BatchesTable): Actor => ({
  kind: row.maker_kind,
  id: row.maker_id,
  name: row.maker_name,
});

export const toMember = (row: BatchMembersTable): BatchMember => ({
  folder: row.folder,
  name: row.name,
  mimeType: row.mime_type,
  size: row.size,
  visibility: row.visibility,
  lifetime: row.lifetime,
  blobId: row.blob_id,
  checksum: row.checksum,
  sha256: row.sha256,
  metadata: row.meta,
  charset: row.charset,
});
