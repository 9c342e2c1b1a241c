import type { BlobCopies, BlobInspection } from "../blobs/port.ts";
import type { BlobLedger, StoredBlob } from "../catalog/port/blob-ledger.ts";
import type { Snapshot } from "../catalog/port/catalog.ts";
import { blockOf } from "../domain/blob-id.ts";
import type { BlobId } from "../domain/records.ts";
import { forEachConcurrently } from "../lib/for-each-concurrently.ts";
import { checkBytes } from "./check-bytes.ts";
import type { OnProblem, Progress } from "./progress.ts";

export interface CopyDeps {
  readonly snapshot: Pick<Snapshot, "storedTotals" | "blobsAfter" | "recordOfBlob">;
  readonly from: BlobInspection;
  readonly to: BlobCopies;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
  /** Called for each blob that could not be copied. */
  readonly onDamaged?: (id: BlobId) => void;
}

/** A number of files and their total size. */
export interface Count {
  files: number;
  bytes: number;
}

export interface Copied {
  readonly copied: Count;
  readonly existing: Count;
  /** Number of files that were not copied, since their blobs are missing or damaged. */
  readonly damaged: number;
}

const CONCURRENCY = 16;

/**
 * Copies the blobs of the snapshot that `to` does not have, and compares them with their records. When
 * it resolves, every copy survives a power cut. Reports and skips damaged blobs. Faults of `to`:
 * "no_space", "unavailable".
 */
export async function copyBlobs(deps: CopyDeps): Promise<Copied> {
  const { snapshot, to, progress } = deps;
  progress.total = await snapshot.storedTotals();
  const copied: Count = { files: 0, bytes: 0 };
  const existing: Count = { files: 0, bytes: 0 };
  const blocks = new Set<number>();
  let damaged = 0;

  try {
    await forEachConcurrently(allBlobs(snapshot), CONCURRENCY, async (blob) => {
      blocks.add(blockOf(blob.blobId));
      if (await to.has(blob.blobId, blob.size)) {
        count(existing, blob.size);
        progress.bytes += blob.size;
      } else if (await copyBlob(deps, blob)) count(copied, blob.size);
      else {
        damaged += 1;
        deps.onDamaged?.(blob.blobId);
      }
      progress.files += 1;
    });
  } catch (error) {
    // Keeps the complete copies for the next attempt.
    await to.place().catch(() => {});
    throw error;
  }
  await to.place();
  // Includes copies of an earlier attempt, which may have been killed right before this step.
  await forEachConcurrently(blocks, CONCURRENCY, (block) => to.flushBlock(block));
  await to.close();
  return { copied, existing, damaged };
}

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

/** false: the blob is damaged; this was reported. */
export async function copyBlob(
  { snapshot, from, to, progress, onProblem }: CopyDeps,
  blob: StoredBlob,
): Promise<boolean> {
  const writer = await to.create(blob.blobId);
  let problem: string | null;
  try {
    problem = await checkBytes(from, blob, async (chunk) => {
      await writer.write(chunk);
      progress.bytes += chunk.length;
    });
  } catch (error) {
    await writer.discard();
    throw error;
  }
  if (problem === null) {
    await writer.seal();
    return true;
  }
  await writer.discard();
  const file = await snapshot.recordOfBlob(blob.blobId);
  onProblem(file?.key ?? blob.fileId, problem);
  return false;
}

export function count(to: Count, size: number): void {
  to.files += 1;
  to.bytes += size;
}
