import type { BlobId } from "../domain/records.ts";
import { isRejection } from "../files/upload/begin-upload.ts";
import { waitBriefly } from "../files/wait-briefly.ts";
import type { ObjectsDeps } from "./deps.ts";

/**
 * Makes the change that gives a sealed blob its record. `usesBlob`: whether the result does. If not, and
 * if the change was refused, the blob is removed.
 */
export async function commitBlob<T>(
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
