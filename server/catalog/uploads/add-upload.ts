import { Fault } from "../../domain/faults/fault.ts";
import { requireLeases } from "../blobs/require-leases.ts";
import type { Tx } from "../engine/tx.ts";
import { maxOpenOfClient } from "../port/batches.ts";
import type { NewUpload, UploadLimits } from "../port/uploads.ts";
import { hasMember, lockOpenBatch } from "./batch-members.ts";
import { pathHashOf, rejectMembers } from "./batch-paths.ts";
import { capabilityColumns } from "./capability-columns.ts";
import { countOpenUploads } from "./count-open-uploads.ts";
import { openUploadsOf, rejectBeyondLink, rejectBeyondUnfinished } from "./link-limits.ts";
import { lockMaker } from "./lock-maker.ts";
import { removeUploadsOfPaths } from "./remove-uploads.ts";

export async function addUpload(tx: Tx, upload: NewUpload, limits: UploadLimits): Promise<void> {
  await lockMaker(tx, upload.maker);
  if (isLimited(limits) && upload.length !== null) await tx.lockName("bytes of open uploads");
  await requireLeases(tx, upload.owner, [upload.blobId]);
  if (upload.batchId !== null) {
    const batch = await lockOpenBatch(tx, upload.batchId);
    const { folder, name } = upload;
    const mayRepeat =
      upload.isWhole === true &&
      name !== null &&
      (await hasMember(tx, batch.id, { folder, name, size: upload.length ?? -1 }));
    if (!mayRepeat) await rejectMembers(tx, batch, name === null ? [] : [{ folder, name }]);
    const hash = pathHashOf(upload);
    if (hash !== null) await removeUploadsOfPaths(tx, batch.id, [hash]);
    const open = await openUploadsOf(tx, batch.id);
    const bytes = upload.length ?? upload.maxSize;
    await rejectBeyondLink(tx, batch, { files: open.files + 1, bytes: open.bytes + bytes });
    await rejectBeyondUnfinished(tx, batch, bytes);
    // A visitor's uploads must not keep out those of others.
    if (upload.maker.kind === "link") rejectBeyondOpen(open.files, maxOpenOfClient(limits));
  }
  if (upload.maker.kind !== "link") {
    rejectBeyondOpen((await countOpenUploads(tx.db, upload.maker)).count, limits.maxOpen);
  }
  if (isLimited(limits)) await rejectBeyondSpace(tx, upload, limits);
  await tx.db
    .insertInto("uploads")
    .values({
      ...capabilityColumns(upload),
      batch_id: upload.batchId,
      path_hash: pathHashOf(upload),
      name: upload.name,
      content_type: upload.contentType,
      meta: upload.metadata,
      tus_metadata: upload.tusMetadata,
      expected_sha256: upload.expectedSha256,
      length: upload.length,
      max_size: upload.maxSize,
      types: JSON.stringify(upload.types),
      offset: 0,
      checksum: 0,
      blob_id: upload.blobId,
      growth: null,
      tail_blob_id: null,
      tail_size: 0,
      state: "open",
      file_id: null,
      epoch: 0,
      writer: null,
      heartbeat: 0,
      must_stop: 0,
    })
    .execute();
}

function rejectBeyondOpen(count: number, maxOpen: number): void {
  if (count < maxOpen) return;
  throw new Fault(
    "rate_limited",
    `There are ${count} open uploads already, and at most ${maxOpen} are allowed. Finish or cancel some of them first.`,
    { retryAfter: 60 },
  );
}

const isLimited = ({ maxOpenBytes }: UploadLimits): boolean =>
  maxOpenBytes < Number.MAX_SAFE_INTEGER;

async function rejectBeyondSpace(
  tx: Tx,
  { length }: NewUpload,
  { maxOpenBytes }: UploadLimits,
): Promise<void> {
  if (length === null) return;
  const { bytes } = await countOpenUploads(tx.db);
  if (bytes + length > maxOpenBytes) {
    throw new Fault(
      "no_space",
      "There is not enough free space for this upload and the open ones.",
    );
  }
}
