import { Fault } from "../../rules/fault.ts";
import type { NewUpload, UploadLimits } from "../port/uploads.ts";
import { countOpenUploads } from "../queries/count-open-uploads.ts";
import type { Tx } from "../tx.ts";
import { lockOpenBatch } from "./batch-members.ts";
import { rejectMembers } from "./batch-paths.ts";
import { capabilityColumns } from "./capability-columns.ts";
import { requireLeases } from "./require-leases.ts";

export async function addUpload(tx: Tx, upload: NewUpload, limits: UploadLimits): Promise<void> {
  await requireLeases(tx, upload.owner, [upload.blobId]);
  if (upload.batchId !== null) {
    const batch = await lockOpenBatch(tx, upload.batchId);
    const { folder, name } = upload;
    await rejectMembers(tx, batch, name === null ? [] : [{ folder, name }]);
  }
  await rejectBeyondLimits(tx, upload, limits);
  await tx.db
    .insertInto("uploads")
    .values({
      ...capabilityColumns(upload),
      batch_id: upload.batchId,
      name: upload.name,
      content_type: upload.contentType,
      meta: upload.metadata,
      expected_sha256: upload.expectedSha256,
      length: upload.length,
      max_size: upload.maxSize,
      types: JSON.stringify(upload.types),
      offset: 0,
      checksum: 0,
      blob_id: upload.blobId,
      growth: null,
      tail_blob_id: null,
      state: "open",
      file_id: null,
      epoch: 0,
      writer: null,
      heartbeat: 0,
      must_stop: 0,
    })
    .execute();
}

async function rejectBeyondLimits(
  tx: Tx,
  { maker, length }: NewUpload,
  { maxOpen, maxOpenBytes }: UploadLimits,
): Promise<void> {
  const { count } = await countOpenUploads(tx.db, maker);
  if (count >= maxOpen) {
    throw new Fault(
      "rate_limited",
      `There are ${count} open uploads already, and at most ${maxOpen} are allowed. Finish or cancel some of them first.`,
      { retryAfter: 60 },
    );
  }
  if (length === null) return;
  const { bytes } = await countOpenUploads(tx.db);
  if (bytes + length > maxOpenBytes) {
    throw new Fault(
      "no_space",
      "There is not enough free space for this upload and the open ones.",
    );
  }
}
