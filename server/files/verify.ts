import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { BlobLedger, CatalogInspection, FileTree, StoredBlob } from "../catalog/port.ts";
import { forEachConcurrently } from "../rules/for-each-concurrently.ts";
import { createCheckBlob, type Depth } from "./check-blob.ts";
import { createFindForeign } from "./find-foreign.ts";
import type { Finding } from "./finding.ts";

export interface VerifyParts {
  readonly catalog: FileTree & BlobLedger & CatalogInspection;
  readonly blobs: Blobs & BlobInspection;
  readonly depth: Depth;
  /** Hears of each finding once, and holds up the check until it has resolved. */
  readonly hear: (finding: Finding) => Promise<void> | void;
  /** Hears often how far it is. */
  readonly progress: (tally: Tally) => void;
}

export interface Tally {
  /** Records whose bytes were looked at. */
  readonly files: number;
  /** Bytes that were read. */
  readonly bytes: number;
  /** Bytes without a record that may belong to an upload under way, or are about to be swept. */
  readonly passedOver: number;
  /** false: the catalog is so damaged that nothing else could be checked. */
  readonly isComplete: boolean;
}

/** Enough to keep a disk busy; more costs memory and gains nothing. */
const READ_CONCURRENCY = 16;
const BATCH = 500;

/**
 * Checks the catalog against itself, every record against its bytes, and whatever lies in the store
 * against the records. Changes nothing. Memory does not grow with the number of files, nor with
 * what is found. Rejects when something cannot be checked.
 */
export async function verify(parts: VerifyParts): Promise<Tally> {
  const { catalog, blobs, depth, hear, progress } = parts;
  const tally = { files: 0, bytes: 0, passedOver: 0, isComplete: true };

  for await (const fault of catalog.inspect()) {
    await hear({ type: "catalog", ...fault });
    if (fault.problem === "storage") tally.isComplete = false;
  }
  if (!tally.isComplete) return tally;

  const pace = (chunk: Uint8Array): void => {
    tally.bytes += chunk.byteLength;
    progress(tally);
  };
  const check = createCheckBlob({ catalog, blobs, pace });
  await forEachConcurrently(records(catalog), READ_CONCURRENCY, async (stored) => {
    const finding = await check(stored, depth);
    tally.files += 1;
    progress(tally);
    if (finding !== undefined) await hear(finding);
  });

  const foreign = createFindForeign({ ledger: catalog, blobs }).all((count) => {
    tally.passedOver += count;
  });
  for await (const finding of foreign) await hear(finding);
  return tally;
}

/** Every record, in the order of its bytes. Those that are added meanwhile may come or not. */
async function* records(ledger: BlobLedger): AsyncGenerator<StoredBlob> {
  let after = -1;
  for (;;) {
    const batch = await ledger.blobsAfter(after, BATCH);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield* batch;
    after = last.blobId;
  }
}
