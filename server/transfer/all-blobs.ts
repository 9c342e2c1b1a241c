import type { BlobLedger, StoredBlob } from "../catalog/port/blob-ledger.ts";

const BATCH = 1000;

/** Every blob that a file refers to, in ascending order, read lazily. */
export async function* allBlobs(
  ledger: Pick<BlobLedger, "blobsAfter">,
): AsyncGenerator<StoredBlob> {
  for (let after = -1; ; ) {
    const batch = await ledger.blobsAfter(after, BATCH);
    yield* batch;
    const last = batch.at(-1);
    if (last === undefined) return;
    after = last.blobId;
  }
}
