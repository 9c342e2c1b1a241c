import type { FileHandle } from "node:fs/promises";
import { fsyncDurations } from "../../domain/process-figures.ts";

/** Syncs a file while it is written, so that little is left for the last sync. */
export interface EarlySyncs {
  /**
   * Call this after each write with the number of bytes written until now. Waits only while the disk
   * is far behind. Rejects when a sync has failed.
   */
  onWritten(position: number): Promise<void> | void;
  /** Resolves when no sync is running. Rejects when one has failed: the file is lost then. */
  finish(): Promise<void>;
}

/** A sync of this much is short, so it occupies one of the runtime's few I/O threads only shortly. */
const SYNC_BYTES = 2 * 1024 ** 2;
/** What may be written while a sync runs: bounds what one file has in the kernel's memory. */
const MAX_UNSYNCED = 64 * 1024 ** 2;

/** `position`: the bytes that are durable already. */
export function createEarlySyncs(file: Pick<FileHandle, "datasync">, position = 0): EarlySyncs {
  let started = position;
  let running: Promise<void> | undefined;
  let failure: { readonly cause: unknown } | undefined;

  // A failed sync is never repeated as if nothing had happened: the kernel may have dropped the bytes.
  function start(written: number): void {
    started = written;
    running = fsyncDurations
      .measure(() => file.datasync())
      .catch((cause: unknown) => {
        failure ??= { cause };
      })
      .finally(() => {
        running = undefined;
      });
  }

  async function finish(): Promise<void> {
    await running;
    if (failure !== undefined) throw failure.cause;
  }

  async function catchUp(written: number): Promise<void> {
    await finish();
    start(written);
  }

  return {
    finish,
    onWritten(written) {
      if (failure !== undefined) throw failure.cause;
      const unsynced = written - started;
      if (running !== undefined) return unsynced < MAX_UNSYNCED ? undefined : catchUp(written);
      if (unsynced >= SYNC_BYTES) start(written);
      return undefined;
    },
  };
}
