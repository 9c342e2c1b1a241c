import type { BlobInspection } from "../blobs/port.ts";
import type { Snapshot } from "../catalog/port/catalog.ts";
import type { Destination } from "./backup.ts";
import { type Copied, copyBlobs } from "./copy-blobs.ts";
import type { OnProblem, Progress } from "./progress.ts";
import { removeOrphans } from "./remove-orphans.ts";

export interface RestoreDeps {
  /** The backup's catalog and bytes. */
  readonly snapshot: Snapshot;
  readonly from: BlobInspection;
  readonly to: Destination;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

/** Fills an empty data folder from a backup. Until it is complete, no server accepts the folder. */
export async function restore(deps: RestoreDeps): Promise<Copied> {
  const { snapshot, from, to, progress, onProblem } = deps;
  const copied = await copyBlobs({ snapshot, from, to: to.copies, progress, onProblem });
  // Blobs that an earlier attempt copied from an older backup.
  await removeOrphans(to.blobs, snapshot);
  await to.publish();
  return copied;
}
