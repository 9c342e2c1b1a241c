import type { BlobInspection, Blobs, BlobWriter, GrowingBlob } from "../blobs/port.ts";
import type { BlobId } from "../domain/records.ts";
import type { UploadRecord } from "../domain/uploads.ts";
import { isRejection } from "../files/upload/begin-upload.ts";
import type { BlobIdAllocator } from "../files/upload/blob-id-allocator.ts";
import { damagedUpload, unreadableUpload } from "./upload-faults.ts";

/*
 * The tail: the last bytes of an upload that the store could not append to the blob yet, as a blob of
 * its own. So another process can continue where the last request ended.
 */

/** Writes the tail to the blob again. Faults: `LostBytes`; "unavailable": it could not be read. */
export async function copyTail(
  blobs: Pick<BlobInspection, "scan">,
  { offset, tailBlobId }: Pick<UploadRecord, "offset" | "tailBlobId">,
  blob: GrowingBlob,
): Promise<void> {
  const size = offset - blob.start;
  if (size === 0) return;
  let copied = 0;
  const outcome =
    tailBlobId === null
      ? "absent"
      : await blobs.scan(tailBlobId, async (chunk) => {
          await blob.write(chunk);
          copied += chunk.length;
        });
  if (outcome === "unreadable") throw unreadableUpload();
  if (outcome === "absent" || copied !== size) throw damagedUpload();
}

/**
 * Stores the rest of the last checkpoint and records it. When anything fails, no blob is left behind.
 */
export async function storeTail(
  { blobs, blobIds }: { readonly blobs: Blobs; readonly blobIds: BlobIdAllocator },
  blob: GrowingBlob,
  record: (tailBlobId: BlobId) => Promise<void>,
): Promise<void> {
  const id = await blobIds.take();
  const writer = await writeRest(id);
  try {
    await record(id);
  } catch (error) {
    if (isRejection(error) && (await writer.discard())) blobIds.markDiscarded(id);
    else blobIds.markUnknown(id);
    throw error;
  }
  blobIds.markCommitted(id);

  async function writeRest(tailId: BlobId): Promise<BlobWriter> {
    let written: BlobWriter | undefined;
    try {
      written = await blobs.create(tailId);
      const { write } = written;
      await blob.readRest(write);
      await written.seal();
      return written;
    } catch (error) {
      if (written === undefined || (await written.discard())) blobIds.markDiscarded(tailId);
      else blobIds.markUnknown(tailId);
      throw error;
    }
  }
}
