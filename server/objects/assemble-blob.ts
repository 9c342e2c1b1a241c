import type { BlobPiece } from "../blobs/port.ts";
import type { BlobId } from "../domain/records.ts";
import { isRejection } from "../files/upload/begin-upload.ts";
import { waitBriefly } from "../files/wait-briefly.ts";
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

/**
 * Makes the change that gives a sealed blob its record. `usesBlob`: whether the result does. If not, and
 * if the change was refused, the blob is removed.
 */
async function commitBlob<T>(
  { blobs, storage: { blobIds } }: Pick<ObjectsDeps, "blobs" | "storage">,
  blobId: BlobId,
  commit: () => Promise<T>,
  usesBlob: (result: T) => boolean,
): Promise<T> {
  const discard = (): Promise<void> => waitBriefly(removeBlob());

  async function removeBlob(): Promise<void> {
    const isRemoved = await blobs.remove([blobId]).then(
      () => true,
      () => false,
    );
    if (isRemoved) blobIds.markDiscarded(blobId);
    else blobIds.markUnknown(blobId);
  }

  let result: T;
  try {
    result = await commit();
  } catch (error) {
    if (isRejection(error)) await discard();
    else blobIds.markUnknown(blobId);
    throw error;
  }
  if (usesBlob(result)) blobIds.markCommitted(blobId);
  else await discard();
  return result;
}
