import type { BlobCopies, BlobInspection, Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import type { Snapshot } from "../catalog/port/catalog.ts";
import type { Millis } from "../domain/records.ts";
import { type Copied, copyBlobs } from "./copy-blobs.ts";
import type { OnProblem, Progress } from "./progress.ts";
import { removeOrphans } from "./remove-orphans.ts";
import { withBackupHold } from "./with-backup-hold.ts";

/** The folder in which the copy is assembled. */
export interface Destination {
  readonly copies: BlobCopies;
  /** The same store, for removing orphans. */
  readonly blobs: Blobs;
  /** Puts the snapshot's catalog into its place. Call this once every blob is copied. */
  publish(): Promise<void>;
}

export interface BackupDeps {
  readonly ledger: BlobLedger;
  readonly from: BlobInspection;
  /** Takes a snapshot and stores it where `publish` reads it. */
  readonly takeSnapshot: () => Promise<Snapshot>;
  readonly to: Destination;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

export interface BackedUp extends Copied {
  /** The time of the snapshot, to the second. */
  readonly asOf: Millis;
  /** Number of removed blobs of the previous backup that no file refers to any more. */
  readonly removed: number;
}

/**
 * Copies a snapshot of the instance while it is in use. Until it is complete, the destination is
 * the previous backup. After an interruption, the next attempt keeps the copied blobs.
 */
export async function backup(deps: BackupDeps): Promise<BackedUp> {
  const { ledger, from, takeSnapshot, to, progress, onProblem } = deps;
  return withBackupHold(ledger, async (assertHeld) => {
    const asOf = Date.now();
    const snapshot = await takeSnapshot();
    try {
      const copied = await copyBlobs({ snapshot, from, to: to.copies, progress, onProblem });
      await assertHeld();
      await to.publish();
      return { ...copied, asOf, removed: await removeOrphans(to.blobs, snapshot) };
    } finally {
      snapshot.close();
    }
  });
}
