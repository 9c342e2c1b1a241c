import type { NewBatch } from "../port/batches.ts";
import type { NewUpload } from "../port/uploads.ts";

/** The columns that uploads and batches have in common. */
export const capabilityColumns = (record: NewUpload | NewBatch) => ({
  id: record.id,
  secret_hash: record.secretHash,
  maker_kind: record.maker.kind,
  maker_id: record.maker.id,
  maker_name: record.maker.name,
  folder_ids: record.within.join(","),
  folder: record.folder,
  visibility: record.visibility,
  lifetime: record.lifetime,
  on_conflict: record.onConflict,
  created_at: record.createdAt,
  expires_at: record.expiresAt,
});
