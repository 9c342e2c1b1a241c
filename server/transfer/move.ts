import type { BlobCopies, BlobInspection, Blobs } from "../blobs/port.ts";
import type { CatalogRows, MoveDestination, MoveSource } from "../catalog/move-port.ts";
import type { BlobId } from "../rules/records.ts";
import { checkCopies } from "./check-copies.ts";
import { compareRows, type RowCounts } from "./compare-rows.ts";
import { type Copied, type Count, copyBlobs } from "./copy-blobs.ts";
import { beginStep, type OnProblem, type Progress } from "./progress.ts";
import { removeOrphans } from "./remove-orphans.ts";

/** The destination. Nothing else can use it before it is published. */
export interface MoveTarget {
  /** For copying; each is closed once. */
  readonly open: () => Promise<BlobCopies> | BlobCopies;
  /** The same store, for removing orphans and checking the copies. */
  readonly blobs: Blobs & BlobInspection;
  readonly draft: MoveDestination;
  /** An earlier try has published the draft already. */
  readonly isFilled: boolean;
  publish(): Promise<void>;
}

export interface MoveParts {
  readonly source: MoveSource;
  readonly from: BlobInspection;
  readonly to: MoveTarget;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

export interface Moved extends Copied {
  /** Files whose copies were read again and verified. */
  readonly checked: Count;
  /** What the catalogs have alike, which is everything. */
  readonly rows: RowCounts;
}

/**
 * Carries everything of an instance that nobody uses into another place. It is there once this
 * resolves; whatever ends this before, the next try goes on with what is there. Of a file whose
 * bytes are damaged at the source the record is carried and the bytes are not, which is told.
 * Error: the source was used meanwhile.
 */
export async function move(parts: MoveParts): Promise<Moved> {
  const { source, to, progress } = parts;
  const { files } = await source.total();
  // What has been published may be in use by now, and then nothing of it must be touched.
  if (to.isFilled) await compare(parts, files);
  const damaged = new Set<BlobId>();
  const copied = await copyBlobs({
    ...parts,
    snapshot: source,
    to: await to.open(),
    onDamaged: (id) => damaged.add(id),
  });
  if (!to.isFilled) {
    // What an earlier try has taken of files that were deleted since.
    await removeOrphans(to.blobs, source);
    beginStep(progress, "Writing the catalog", { files, bytes: 0 });
    await to.draft.fill(counted(source, progress));
  }
  const checked = await checkCopies({
    ...parts,
    snapshot: source,
    there: to.blobs,
    open: to.open,
    damaged,
  });
  const rows = await compare(parts, files);
  await to.publish();
  return { ...copied, checked, rows };
}

/** Error: the two catalogs are not alike, row by row. */
async function compare({ source, to, progress }: MoveParts, files: number): Promise<RowCounts> {
  beginStep(progress, "Comparing the catalogs", { files, bytes: 0 });
  const rows = await compareRows(counted(source, progress), to.draft);
  if (!("differs" in rows)) return rows;
  throw new Error(
    to.isFilled
      ? `The catalogs differ (${rows.differs}): one of the two has been used since an earlier try had filled the new one.`
      : `The source was changed meanwhile (${rows.differs}): stop all that uses it and run this again, which goes on where it stopped.`,
  );
}

/** The same rows, with the files among them counted as they go by. */
const counted = (source: CatalogRows, progress: Progress): CatalogRows => ({
  async *rows(table) {
    for await (const batch of source.rows(table)) {
      yield batch;
      if (table === "files") progress.files += batch.length;
    }
  },
});
