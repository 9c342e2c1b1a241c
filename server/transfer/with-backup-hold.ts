import type { BlobLedger } from "../catalog/port.ts";
import { CLI_LEASE_PREFIX, LEASE_SECONDS } from "../catalog/port.ts";

/** Throws an Error when the hold has been lost, so that bytes may be gone that should be there. */
export type StillHeld = () => Promise<void>;

/** Does the work while the bytes of all files stay, deleted ones included. */
export async function withBackupHold<T>(
  ledger: BlobLedger,
  work: (stillHeld: StillHeld) => Promise<T>,
): Promise<T> {
  const owner = `${CLI_LEASE_PREFIX}${crypto.randomUUID()}`;
  await ledger.startBackupHold(owner);
  const keepAlive = setInterval(
    // Whether it was lost is asked at the end; a catalog that is busy now is asked again soon.
    () => void ledger.renewBackupHold(owner).catch(() => {}),
    (LEASE_SECONDS * 1000) / 5,
  );
  try {
    return await work(async () => {
      if (await ledger.renewBackupHold(owner)) return;
      throw new Error(
        "This was stopped for so long that bytes of deleted files may be gone meanwhile. Run it again: it goes on where it stopped.",
      );
    });
  } finally {
    clearInterval(keepAlive);
    await ledger.endBackupHold(owner).catch(() => {});
  }
}
