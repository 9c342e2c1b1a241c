import type { FileHandle } from "node:fs/promises";
import type { BlobWriter } from "../port.ts";

/**
 * Starts to sync after this many bytes without waiting for it, so that `seal` is short, and no sync
 * occupies an I/O thread for long.
 */
const SYNC_EARLY = 16 * 1024 ** 2;

/** Writes at one place of a file that others write too. The file stays whatever happens. */
export function createPartWriter(input: {
  file: FileHandle;
  offset: number;
  faultOf: (error: unknown) => unknown;
}): BlobWriter {
  const { file, faultOf } = input;
  let position = input.offset;
  let syncStarted = position;
  let earlySyncs: Promise<void> = Promise.resolve();
  let state: "open" | "sealed" | "failed" | "discarded" = "open";
  let closing: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One step at a time: a descriptor that is closed during a write may become that of another file. */
  function enqueue(step: () => Promise<void>): Promise<void> {
    const run = last.then(async () => {
      if (state !== "open") throw new Error(`This part is ${state} and cannot be written.`);
      try {
        await step();
      } catch (error) {
        state = "failed";
        throw faultOf(error);
      }
    });
    last = run.catch(() => {});
    return run;
  }

  /** A failure is one of `seal`: a failed sync is never repeated as if nothing had happened. */
  function syncEarly(): void {
    syncStarted = position;
    const earlier = earlySyncs;
    earlySyncs = Promise.all([earlier, file.datasync()]).then(() => {});
    earlySyncs.catch(() => {});
  }

  async function close(): Promise<void> {
    await earlySyncs.catch(() => {});
    closing ??= file.close();
    await closing;
  }

  return {
    write: (chunk) =>
      enqueue(async () => {
        for (let done = 0; done < chunk.byteLength; ) {
          const left = chunk.byteLength - done;
          const { bytesWritten } = await file.write(chunk, done, left, position);
          if (bytesWritten === 0) throw new Error("The disk accepted no bytes.");
          done += bytesWritten;
          position += bytesWritten;
        }
        if (position - syncStarted >= SYNC_EARLY) syncEarly();
      }),

    seal: () =>
      enqueue(async () => {
        await earlySyncs;
        await file.datasync();
        await close();
        state = "sealed";
      }),

    async discard() {
      const run = last.then(async () => {
        state = "discarded";
        await close().catch(() => {});
      });
      last = run;
      await run;
      return true;
    },
  };
}
