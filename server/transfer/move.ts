import type { BlobCopies, BlobInspection, Blobs } from "../blobs/port.ts";
import type { CatalogRows, MoveDestination, MoveSource } from "../catalog/move-port.ts";
import type { BlobId } from "../domain/records.ts";
import { checkCopies } from "./check-copies.ts";
import { compareRows, type RowCounts } from "./compare-rows.ts";
import { type Copied, type Count, copyBlobs } from "./copy-blobs.ts";
import { type OnProblem, type Progress, startStep } from "./progress.ts";
import { removeOrphans } from "./remove-orphans.ts";

/** The destination. No other process can use it before it is published. */
export interface MoveTarget {
  /** Opens the blob store for copying; close each result once. */
  readonly open: () => Promise<BlobCopies> | BlobCopies;
  /** The same store, for removing orphans and checking the copies. */
  readonly blobs: Blobs & BlobInspection;
  readonly draft: MoveDestination;
  /** An earlier attempt has already published the draft. */
  readonly isPublished: boolean;
  publish(): Promise<void>;
}

export interface MoveDeps {
  readonly source: MoveSource;
  readonly from: BlobInspection;
  readonly to: MoveTarget;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

export interface Moved extends Copied {
  /** Files whose copies were read again and match. */
  readonly checked: Count;
  /** The number of rows of each table, which are equal in both catalogs. */
  readonly rows: RowCounts;
}

/**
 * Copies an instance, which no server uses, to another place, and publishes it there. After an
 * interruption, the next attempt continues. For a file whose blob is damaged at the source, copies
 * only the record and reports the damage. Error: the source was changed meanwhile.
 */
export async function move(deps: MoveDeps): Promise<Moved> {
  const { source, to, progress } = deps;
  const { files } = await source.storedTotals();
  // A published instance may already be in use, and then must not be changed.
  if (to.isPublished) await compare(deps, files);
  const damaged = new Set<BlobId>();
  const copied = await copyBlobs({
    ...deps,
    snapshot: source,
    to: await to.open(),
    onDamaged: (id) => damaged.add(id),
  });
  if (!to.isPublished) {
    // Blobs that an earlier attempt copied, of files that were deleted since.
    await removeOrphans(to.blobs, source);
    startStep(progress, "Writing the catalog", { files, bytes: 0 });
    await to.draft.fill(counted(source, progress));
  }
  const checked = await checkCopies({
    ...deps,
    snapshot: source,
    target: to.blobs,
    open: to.open,
    damaged,
  });
  const rows = await compare(deps, files);
  await to.publish();
  return { ...copied, checked, rows };
}

/** Error: the two catalogs differ. */
async function compare({ source, to, progress }: MoveDeps, files: number): Promise<RowCounts> {
  startStep(progress, "Comparing the catalogs", { files, bytes: 0 });
  const rows = await compareRows(counted(source, progress), to.draft);
  if (!("differs" in rows)) return rows;
  throw new Error(
    to.isPublished
      ? `The catalogs differ (${rows.differs}): one of the two has been used since an earlier attempt completed the new one.`
      : `The source was changed meanwhile (${rows.differs}): stop everything that uses it, then run this again: it continues where it stopped.`,
  );
}

/** The same rows; counts the files among them as progress. */
const counted = (source: CatalogRows, progress: Progress): CatalogRows => ({
  async *rows(table) {
    for await (const batch of source.rows(table)) {
      yield batch;
      if (table === "files") progress.files += batch.length;
    }
  },
});
