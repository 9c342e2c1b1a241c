import type { BlobCopies, BlobInspection } from "../blobs/port.ts";
import type { MoveSource } from "../catalog/move-port.ts";
import { forEachConcurrently } from "../rules/for-each-concurrently.ts";
import type { BlobId } from "../rules/records.ts";
import { allBlobs } from "./all-blobs.ts";
import { checkBytes } from "./check-bytes.ts";
import { type Count, copyBlob, count } from "./copy-blobs.ts";
import { beginStep, type OnProblem, type Progress } from "./progress.ts";

export interface CheckParts {
  readonly snapshot: Pick<MoveSource, "total" | "blobsAfter" | "fileById">;
  readonly from: BlobInspection;
  /** The copies, as whoever reads them will. */
  readonly there: BlobInspection;
  /** For those that must be copied again. */
  readonly open: () => Promise<BlobCopies> | BlobCopies;
  /** Blobs of which no copy can be. */
  readonly damaged: ReadonlySet<BlobId>;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

const CONCURRENCY = 16;

/**
 * Reads every copy again and compares it with its record. One that is not right, which an earlier
 * try may have left, is made again. Error: that does not help.
 */
export async function checkCopies(parts: CheckParts): Promise<Count> {
  const { snapshot, there, damaged, progress } = parts;
  beginStep(progress, "Checking", await snapshot.total());
  const whole: Count = { files: 0, bytes: 0 };

  await forEachConcurrently(allBlobs(snapshot), CONCURRENCY, async (blob) => {
    progress.files += 1;
    if (damaged.has(blob.blobId)) return;
    const look = () =>
      checkBytes(there, blob, (chunk) => {
        progress.bytes += chunk.length;
      });
    if ((await look()) !== null) {
      const copies = await parts.open();
      if (!(await copyBlob({ ...parts, to: copies }, blob))) return;
      await copies.place();
      await copies.close();
      const problem = await look();
      if (problem !== null) {
        throw new Error(`The copy of the file ${blob.fileId} was made twice, but ${problem}.`);
      }
    }
    count(whole, blob.size);
  });
  return whole;
}
