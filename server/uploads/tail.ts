import type { BlobInspection, GrowingBlob } from "../blobs/port.ts";
import type { BlobId } from "../domain/records.ts";
import type { UploadRecord } from "../domain/uploads.ts";
import type { BlobStorage } from "../files/upload/blob-storage.ts";
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
  storage: Pick<BlobStorage, "open" | "commit" | "discard">,
  blob: GrowingBlob,
  record: (tailBlobId: BlobId) => Promise<void>,
): Promise<void> {
  const tail = await storage.open();
  try {
    await blob.readRest(tail.writer.write);
    await tail.writer.seal();
  } catch (error) {
    await storage.discard([tail]);
    throw error;
  }
  await storage.commit([tail], () => record(tail.id));
}
