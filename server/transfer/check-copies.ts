import type { BlobCopies, BlobInspection } from "../blobs/port.ts";
import type { MoveSource } from "../catalog/move-port.ts";
import type { BlobId } from "../domain/records.ts";
import { forEachConcurrently } from "../lib/for-each-concurrently.ts";
import { checkBytes } from "./check-bytes.ts";
import { allBlobs, type Count, copyBlob, count } from "./copy-blobs.ts";
import { type OnProblem, type Progress, startStep } from "./progress.ts";

export interface CheckDeps {
  readonly snapshot: Pick<MoveSource, "storedTotals" | "blobsAfter" | "recordOfBlob">;
  readonly from: BlobInspection;
  /** Reads the copies. */
  readonly target: BlobInspection;
  /** Opens the destination, for copies that must be made again. */
  readonly open: () => Promise<BlobCopies> | BlobCopies;
  /** Blobs that cannot be copied. */
  readonly damaged: ReadonlySet<BlobId>;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

const CONCURRENCY = 16;

/**
 * Reads every copy and compares it with its record. Makes a wrong copy, which an earlier attempt may
 * have left, again. Error: the second copy is wrong too.
 */
export async function checkCopies(deps: CheckDeps): Promise<Count> {
  const { snapshot, target, damaged, progress } = deps;
  startStep(progress, "Checking", await snapshot.storedTotals());
  const verified: Count = { files: 0, bytes: 0 };

  await forEachConcurrently(allBlobs(snapshot), CONCURRENCY, async (blob) => {
    progress.files += 1;
    if (damaged.has(blob.blobId)) return;
    const check = () =>
      checkBytes(target, blob, (chunk) => {
        progress.bytes += chunk.length;
      });
    if ((await check()) !== null) {
      const copies = await deps.open();
      if (!(await copyBlob({ ...deps, to: copies }, blob))) return;
      await copies.place();
      await copies.close();
      const problem = await check();
      if (problem !== null) {
        throw new Error(`The copy of the file ${blob.fileId} was made twice, but ${problem}.`);
      }
    }
    count(verified, blob.size);
  });
  return verified;
}
