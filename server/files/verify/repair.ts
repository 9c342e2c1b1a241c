import type { BlobInspection, Blobs } from "../../blobs/port.ts";
import type { BlobLedger } from "../../catalog/port/blob-ledger.ts";
import type { FileTree } from "../../catalog/port/file-tree.ts";
import type { QuotaLedger } from "../../catalog/port/quotas.ts";
import { blockOf } from "../../domain/blob-id.ts";
import type { BlobId, FileRecord } from "../../domain/records.ts";
import { createFindOrphans } from "./find-orphans.ts";
import type { Finding, MissingBlob, Orphan } from "./finding.ts";

/** One step of a repair. Its JSON is an API: never rename a field. */
export type Repaired =
  /** An orphan was moved to the quarantine. */
  | { readonly type: "moved"; readonly place: string }
  /** A record without a blob was moved from the catalog to the quarantine. */
  | { readonly type: "removed"; readonly id: string; readonly key: string }
  /** The numbers of the quota of a folder were corrected. */
  | { readonly type: "recounted"; readonly id: string };

export interface Repair {
  /** Queues a repair of the finding. Ignores types that are not repaired. */
  take(finding: Finding): Promise<void>;
  /** Resolves when every queued finding is repaired. */
  finish(): Promise<void>;
}

export interface RepairDeps {
  readonly catalog: FileTree & BlobLedger & Pick<QuotaLedger, "dueRecounts" | "recountQuota">;
  readonly blobs: Blobs & BlobInspection;
  readonly quarantine: Quarantine;
  /** Called for each repair once it survives a power cut. */
  readonly onRepaired: (repaired: Repaired) => Promise<void> | void;
}

/** The folder in which a repair keeps what it removes. */
export interface Quarantine {
  readonly name: string;
  /** Resolves when the records, with all their fields, survive a power cut. */
  keep(records: readonly FileRecord[]): Promise<void>;
}

/** Findings are repaired in batches, since each batch costs a few fsyncs. */
const BATCH = 100;

/**
 * Moves orphans into the quarantine. Removes records without a blob from the catalog once the
 * quarantine has saved them. Recounts quotas whose numbers are wrong. Leaves damaged blobs and
 * other inconsistencies of the catalog as they are.
 *
 * It can be killed at any moment: a blob is moved by one rename, a record is removed after it was
 * saved, and the next run continues. It works while the service runs: every finding is checked
 * again right before it is repaired.
 */
export function createRepair({ catalog, blobs, quarantine, onRepaired }: RepairDeps): Repair {
  const orphans: Orphan[] = [];
  const leftOver: Orphan[] = [];
  const missing: MissingBlob[] = [];
  const quotas: string[] = [];
  const findOrphans = createFindOrphans({ ledger: catalog, blobs });
  let last: Promise<void> = Promise.resolve();

  async function moveOrphans(findings: readonly Orphan[]): Promise<void> {
    const unrecognized = findings.filter(({ blobId }) => blobId === null);
    const places = unrecognized.map(({ place }) => place);
    for (const [block, ids] of blocksOf(findings)) {
      const current = await findOrphans.ofBlock(block, ids);
      if (current !== "skipped") places.push(...current.map(({ place }) => place));
    }
    await move(places);
  }

  /** Takes over the leases first, so that a slow owner cannot commit files with these blobs. */
  async function moveLeftOver(findings: readonly Orphan[]): Promise<void> {
    const taken = new Set(await catalog.releaseExpiredLeases());
    for (const [block, ids] of blocksOf(findings)) {
      if (!taken.has(block) && (await catalog.leaseState(block)) !== "closed") continue;
      const known = new Set(await catalog.knownBlobs(block));
      await move(ids.filter((id) => !known.has(id)).map(blobs.placeOf));
    }
  }

  async function move(places: readonly string[]): Promise<void> {
    if (places.length === 0) return;
    for (const place of await blobs.moveToQuarantine(places, quarantine.name))
      await onRepaired({ type: "moved", place });
  }

  async function removeRecords(findings: readonly MissingBlob[]): Promise<void> {
    const lost: FileRecord[] = [];
    for (const { id, blobId } of findings) {
      const file = await catalog.recordOfBlob(blobId);
      const isMissing = file?.id === id && (await blobs.sizeOf(blobId)) === undefined;
      if (isMissing) lost.push(file);
    }
    if (lost.length === 0) return;
    await quarantine.keep(lost);
    const dropped = new Set(
      await catalog.dropRecords(lost.map(({ id, blobId }) => ({ fileId: id, blobId }))),
    );
    for (const { id, key, blobId } of lost)
      if (dropped.has(blobId)) await onRepaired({ type: "removed", id, key });
  }

  /** Those that were found wrong, and those that records were removed from. */
  async function recountQuotas(found: readonly string[]): Promise<void> {
    for (const id of new Set([...found, ...(await catalog.dueRecounts(0))])) {
      const drift = await catalog.recountQuota(id);
      if (drift !== undefined && (drift.bytes !== 0 || drift.files !== 0)) {
        await onRepaired({ type: "recounted", id });
      }
    }
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const run = last.then(work);
    last = run.catch(() => {});
    return run;
  }

  const flush = (minCount: number): Promise<void> =>
    inTurn(async () => {
      if (orphans.length >= minCount) await moveOrphans(orphans.splice(0));
      if (missing.length >= minCount) await removeRecords(missing.splice(0));
    });

  return {
    async take(finding) {
      if (finding.type === "missing") missing.push(finding);
      else if (finding.type === "foreign") (finding.leftOver ? leftOver : orphans).push(finding);
      else if (finding.type === "catalog" && finding.problem === "quota" && finding.id !== null) {
        quotas.push(finding.id);
      }
      if (orphans.length >= BATCH || missing.length >= BATCH) await flush(BATCH);
    },
    async finish() {
      await flush(1);
      // Last, as taking over a lease hides its block from the search for orphans.
      if (leftOver.length > 0) await inTurn(() => moveLeftOver(leftOver.splice(0)));
      await inTurn(() => recountQuotas(quotas.splice(0)));
    },
  };
}

function blocksOf(findings: readonly Orphan[]): Map<number, BlobId[]> {
  const ids = findings.flatMap(({ blobId }) => (blobId === null ? [] : [blobId]));
  return Map.groupBy(ids, blockOf);
}
