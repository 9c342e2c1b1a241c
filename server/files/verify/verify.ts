import type { BlobInspection, Blobs } from "../../blobs/port.ts";
import type { BlobLedger, StoredBlob } from "../../catalog/port/blob-ledger.ts";
import type { FileTree } from "../../catalog/port/file-tree.ts";
import type { CatalogInspection } from "../../catalog/port/inspection.ts";
import { forEachConcurrently } from "../../lib/for-each-concurrently.ts";
import { createCheckBlob, type Depth } from "./check-blob.ts";
import { createFindOrphans } from "./find-orphans.ts";
import type { Finding } from "./finding.ts";

export interface VerifyDeps {
  readonly catalog: FileTree & BlobLedger & CatalogInspection;
  readonly blobs: Blobs & BlobInspection;
  readonly depth: Depth;
  /** Called once for each finding; `verify` waits for it. */
  readonly onFinding: (finding: Finding) => Promise<void> | void;
  /** Called often. */
  readonly progress: (tally: Tally) => void;
}

export interface Tally {
  /** Records that were checked. */
  readonly files: number;
  /** Bytes that were read. */
  readonly bytes: number;
  /** Records that have no SHA-256 yet. */
  readonly withoutDigest: number;
  /** Blobs without a record that may belong to an upload in progress or will be swept soon. */
  readonly passedOver: number;
  /** false: the catalog is too damaged to check anything else. */
  readonly isComplete: boolean;
}

/** Enough to keep a disk busy; more would only cost memory. */
const READ_CONCURRENCY = 16;
const BATCH = 500;

/**
 * Checks the catalog for inconsistencies, every record against its blob, and the store for orphans.
 * Changes nothing. Memory use does not grow with the number of files or findings. Rejects when
 * something cannot be checked.
 */
export async function verify(deps: VerifyDeps): Promise<Tally> {
  const { catalog, blobs, depth, onFinding, progress } = deps;
  const tally = { files: 0, bytes: 0, withoutDigest: 0, passedOver: 0, isComplete: true };

  for await (const defect of catalog.inspect()) {
    await onFinding({ type: "catalog", ...defect });
    if (defect.problem === "storage") tally.isComplete = false;
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
    if (stored.sha256 === null) tally.withoutDigest += 1;
    progress(tally);
    if (finding !== undefined) await onFinding(finding);
  });

  const orphans = createFindOrphans({ ledger: catalog, blobs }).all((count) => {
    tally.passedOver += count;
  });
  for await (const finding of orphans) await onFinding(finding);
  return tally;
}

/** Every record, by ascending blob id. Files that are added meanwhile may be missing. */
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
