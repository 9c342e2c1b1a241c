import type { BlobCopies, BlobInspection, Blobs } from "../blobs/port.ts";
import type { BlobLedger, Snapshot } from "../catalog/port.ts";
import type { Millis } from "../rules/records.ts";
import { type Copied, copyBlobs } from "./copy-blobs.ts";
import type { OnProblem, Progress } from "./progress.ts";
import { removeOrphans } from "./remove-orphans.ts";
import { withBackupHold } from "./with-backup-hold.ts";

/** Where the copy is put together. */
export interface Destination {
  readonly copies: BlobCopies;
  /** The same store, for clearing out. */
  readonly blobs: Blobs;
  /** Makes the snapshot's catalog the one that counts. Not before every blob is there. */
  publish(): Promise<void>;
}

export interface BackupParts {
  readonly ledger: BlobLedger;
  readonly from: BlobInspection;
  /** Takes a snapshot and puts it where `publish` takes it from. */
  readonly takeSnapshot: () => Promise<Snapshot>;
  readonly to: Destination;
  readonly progress: Progress;
  readonly onProblem: OnProblem;
}

export interface BackedUp extends Copied {
  /** The moment that the copy is of, to the second. */
  readonly asOf: Millis;
  /** Blobs of the backup before this one that no file refers to any more. */
  readonly removed: number;
}

/**
 * Copies the instance as of one moment, while others use it. Until it is done, the destination
 * holds what it held before; whatever kills it, the next try goes on with what is there.
 */
export async function backup(parts: BackupParts): Promise<BackedUp> {
  const { ledger, from, takeSnapshot, to, progress, onProblem } = parts;
  return withBackupHold(ledger, async (stillHeld) => {
    const asOf = Date.now();
    const snapshot = await takeSnapshot();
    try {
      const copied = await copyBlobs({ snapshot, from, to: to.copies, progress, onProblem });
      await stillHeld();
      await to.publish();
      return { ...copied, asOf, removed: await removeOrphans(to.blobs, snapshot) };
    } finally {
      snapshot.close();
    }
  });
}
