import type { FileHandle } from "node:fs/promises";
import { unlink } from "node:fs/promises";
import type { BlobWriter } from "../port.ts";
import type { BlockFolders } from "./block-folders.ts";
import { errorCode } from "./disk-fault.ts";
import { createEarlySyncs } from "./early-syncs.ts";

/** Writes a new, empty file in a folder that was entered; `discard` and `seal` leave the folder. */
export function createDiskWriter(input: {
  file: FileHandle;
  path: string;
  block: number;
  folders: BlockFolders;
  faultOf: (error: unknown) => unknown;
}): BlobWriter {
  const { file, path, block, folders, faultOf } = input;
  const earlySyncs = createEarlySyncs(file);
  let position = 0;
  let state: "open" | "sealed" | "failed" | "discarded" = "open";
  let closing: Promise<void> | undefined;
  let discarding: Promise<boolean> | undefined;
  let hasEntered = true;
  let last: Promise<unknown> = Promise.resolve();

  /**
   * Runs one step at a time, and none after a failure. `discard` waits for them too: if it closed the
   * descriptor during a write, the write could reach another file that got the same number.
   */
  function enqueue(step: () => Promise<void>): Promise<void> {
    const run = last.then(async () => {
      if (state !== "open") throw new Error(`This blob is ${state} and cannot be written.`);
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

  function closeOnce(): Promise<void> {
    closing ??= file.close();
    return closing;
  }

  function leaveOnce(): void {
    if (hasEntered) folders.leave(block);
    hasEntered = false;
  }

  async function removeFile(): Promise<boolean> {
    await earlySyncs.finish().catch(() => {});
    await closeOnce().catch(() => {});
    const isRemoved = await unlink(path).then(
      () => true,
      (error) => errorCode(error) === "ENOENT",
    );
    leaveOnce();
    await folders.removeIfEmpty(block);
    return isRemoved;
  }

  return {
    write: (chunk) =>
      enqueue(async () => {
        let done = 0;
        while (done < chunk.byteLength) {
          const { bytesWritten } = await file.write(chunk, done, chunk.byteLength - done, position);
          if (bytesWritten === 0) throw new Error("The disk accepted no bytes.");
          done += bytesWritten;
          position += bytesWritten;
        }
        await earlySyncs.onWritten(position);
      }),

    seal: () =>
      enqueue(async () => {
        await earlySyncs.finish();
        await file.sync();
        await Promise.all([closeOnce(), folders.sync(block)]);
        state = "sealed";
        leaveOnce();
      }),

    discard() {
      discarding ??= last.then(() => {
        state = "discarded";
        return removeFile();
      });
      last = discarding;
      return discarding;
    },
  };
}
