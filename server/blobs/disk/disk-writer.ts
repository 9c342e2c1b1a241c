import type { FileHandle } from "node:fs/promises";
import { unlink } from "node:fs/promises";
import type { BlobWriter } from "../port.ts";
import type { BlockFolders } from "./block-folders.ts";
import { diskFault, errorCode } from "./disk-fault.ts";

/**
 * Syncs after this many bytes. This costs 5 % of the speed, but no fsync of a large file occupies one
 * of the runtime's few I/O threads for long while other uploads wait.
 */
const SYNC_EVERY = 64 * 1024 * 1024;

/** The writer of a new, open, empty file in a folder that was entered. */
export function createDiskWriter(input: {
  file: FileHandle;
  path: string;
  block: number;
  folders: BlockFolders;
}): BlobWriter {
  const { file, path, block, folders } = input;
  let position = 0;
  let synced = 0;
  let state: "open" | "sealed" | "failed" | "discarded" = "open";
  let closing: Promise<void> | undefined;
  let discarding: Promise<boolean> | undefined;
  let inside = true;
  let last: Promise<unknown> = Promise.resolve();

  /**
   * Runs one step at a time, and none after a failure. `discard` waits here as well: if it closed the
   * descriptor during a write, the number could already belong to another file.
   */
  function inTurn(step: () => Promise<void>): Promise<void> {
    const run = last.then(async () => {
      if (state !== "open") throw new Error(`This blob is ${state} and cannot be written.`);
      try {
        await step();
      } catch (error) {
        state = "failed";
        throw diskFault(error);
      }
    });
    last = run.catch(() => {});
    return run;
  }

  function closeOnce(): Promise<void> {
    closing ??= file.close();
    return closing;
  }

  function leaveOnce(): void {
    if (inside) folders.leave(block);
    inside = false;
  }

  async function clear(): Promise<boolean> {
    await closeOnce().catch(() => {});
    const gone = await unlink(path).then(
      () => true,
      (error) => errorCode(error) === "ENOENT",
    );
    leaveOnce();
    await folders.tidy(block);
    return gone;
  }

  return {
    write: (chunk) =>
      inTurn(async () => {
        let done = 0;
        while (done < chunk.byteLength) {
          const { bytesWritten } = await file.write(chunk, done, chunk.byteLength - done, position);
          if (bytesWritten === 0) throw new Error("The disk accepted no bytes.");
          done += bytesWritten;
          position += bytesWritten;
        }
        if (position - synced >= SYNC_EVERY) {
          await file.datasync();
          synced = position;
        }
      }),

    seal: () =>
      inTurn(async () => {
        await file.sync();
        await Promise.all([closeOnce(), folders.sync(block)]);
        state = "sealed";
        leaveOnce();
      }),

    discard() {
      discarding ??= last.then(() => {
        state = "discarded";
        return clear();
      });
      last = discarding;
      return discarding;
    },
  };
}
