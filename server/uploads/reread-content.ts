import type { BlobInspection } from "../blobs/port.ts";
import type { BlobId } from "../domain/records.ts";
import type { ContentSums } from "../files/upload/content-hash.ts";
import type { UploadHashes } from "../files/upload/upload-hashes.ts";
import { damagedUpload, unreadableUpload } from "./upload-faults.ts";

/**
 * The sums of a complete blob. Faults: `LostBytes`: it is absent; "unavailable": it could not be read.
 * Throws what `signal` is aborted with.
 */
export async function rereadContent(
  blobs: Pick<BlobInspection, "scan">,
  hashes: UploadHashes,
  id: BlobId,
  signal: AbortSignal,
): Promise<ContentSums> {
  const hash = hashes.create();
  try {
    const outcome = await blobs.scan(id, async (chunk) => {
      signal.throwIfAborted();
      await hash.update(chunk);
    });
    signal.throwIfAborted();
    if (outcome === "unreadable") throw unreadableUpload();
    if (outcome === "absent") throw damagedUpload();
    return await hash.end();
  } catch (error) {
    hash.drop();
    throw error;
  }
}
