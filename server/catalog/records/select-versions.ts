import type { Kysely } from "kysely";
import type { VersionRecord } from "../../domain/trash.ts";
import type { Schema } from "../engine/schema.ts";
import type { VersionsTable } from "../tables/tree.ts";

export const selectVersions = (db: Kysely<Schema>) =>
  db.selectFrom("versions").selectAll("versions");

export const toVersion = (row: VersionsTable): VersionRecord => ({
  id: row.id,
  fileId: row.file_id,
  blobId: row.blob_id,
  size: row.size,
  mimeType: row.mime_type,
  checksum: row.checksum,
  sha256: row.sha256,
  metadata: row.meta,
  s3: row.s3,
  charset: row.charset,
  modifiedAt: row.modified_at,
  replacedAt: row.replaced_at,
  replacedBy: JSON.parse(row.actor),
  expiresAt: row.expires_at,
});
