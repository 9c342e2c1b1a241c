import type { BlobLedger } from "../catalog/port/blob-ledger.ts";
import { CLI_LEASE_PREFIX, LEASE_SECONDS } from "../catalog/port/blob-ledger.ts";

/** Error: the hold has expired, so blobs that the work needs may have been removed. */
export type AssertHeld = () => Promise<void>;

/** Does the work during a backup hold, which keeps the blobs of deleted files. */
export async function withBackupHold<T>(
  ledger: BlobLedger,
  work: (assertHeld: AssertHeld) => Promise<T>,
): Promise<T> {
  const owner = `${CLI_LEASE_PREFIX}${crypto.randomUUID()}`;
  await ledger.startBackupHold(owner);
  const keepAlive = setInterval(
    // A failure is retried soon, and `assertHeld` checks the hold at the end.
    () => void ledger.renewBackupHold(owner).catch(() => {}),
    (LEASE_SECONDS * 1000) / 5,
  );
  try {
    return await work(async () => {
      if (await ledger.renewBackupHold(owner)) return;
      throw new Error(
        "This process was suspended for so long that contents of deleted files may be gone. Run it again: it continues where it stopped.",
      );
    });
  } finally {
    clearInterval(keepAlive);
    await ledger.endBackupHold(owner).catch(() => {});
  }
}
