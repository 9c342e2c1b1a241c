import type { BlobPiece } from "../blobs/port.ts";
import type { BlobId } from "../domain/records.ts";
import { commitBlob } from "./commit-blob.ts";
import type { ObjectsDeps } from "./deps.ts";

/**
 * Makes a blob of pieces, and its record. Faults: "gone": a piece is absent; "no_space"; those of
 * `commit`.
 */
export async function assembleBlob<T extends { readonly blobId: BlobId }>(
  deps: Pick<ObjectsDeps, "blobs" | "storage">,
  pieces: readonly BlobPiece[],
  commit: (blobId: BlobId) => Promise<T>,
): Promise<T> {
  const { blobs, storage } = deps;
  const content = pieces.filter(({ start, end }) => start < end);
  const size = content.reduce((sum, { start, end }) => sum + end - start, 0);
  const claim = await storage.space.admit(size);
  try {
    const blobId = await storage.blobIds.take();
    try {
      await claim.write(size);
      await blobs.assemble(blobId, content);
    } catch (error) {
      storage.blobIds.markDiscarded(blobId);
      throw error;
    }
    const record = await commitBlob(
      deps,
      blobId,
      () => commit(blobId),
      (result) => result.blobId === blobId,
    );
    // No response waits for it: the record alone makes the file.
    if (record.blobId === blobId) void blobs.markCommitted([blobId]);
    return record;
  } finally {
    claim.release();
  }
}
