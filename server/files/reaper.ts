import type { Blobs } from "../blobs/port.ts";
import type { BlobLedger } from "../catalog/port.ts";
import type { BlobId } from "../rules/records.ts";

/** Removes the bytes of files whose records are gone. */
export interface Reaper {
  /** Removes these condemned blobs; resolves when their bytes are gone. */
  remove(ids: readonly BlobId[]): Promise<void>;
  /** Removes everything condemned; resolves when nothing is left. Never throws. */
  drain(): Promise<void>;
}

const BATCH = 500;

export interface ReaperParts {
  readonly ledger: BlobLedger;
  readonly blobs: Blobs;
  readonly onError: (message: string, cause: unknown) => void;
}

export function createReaper({ ledger, blobs, onError }: ReaperParts): Reaper {
  let draining: Promise<void> | undefined;

  async function removeAll(): Promise<void> {
    for (;;) {
      const ids = await ledger.condemnedBlobs(BATCH);
      if (ids.length === 0) return;
      await blobs.remove(ids);
      await ledger.forgetBlobs(ids);
    }
  }

  const failed = (cause: unknown): void =>
    onError("Bytes of deleted files were not removed; this is tried again", cause);

  return {
    async remove(ids) {
      try {
        await blobs.remove(ids);
        // Whoever deletes need not wait for the note: without it the removal is merely repeated.
        ledger.forgetBlobs(ids).catch(failed);
      } catch (cause) {
        failed(cause);
      }
    },
    drain() {
      draining ??= removeAll()
        .catch(failed)
        .finally(() => {
          draining = undefined;
        });
      return draining;
    },
  };
}
