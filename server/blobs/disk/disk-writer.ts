import type { FileHandle } from "node:fs/promises";
import { unlink } from "node:fs/promises";
import { fsyncDurations } from "../../domain/process-figures.ts";
import { fileBlob, writeFile } from "../../runtime/files.ts";
import type { BlobWriter } from "../port.ts";
import type { BlockFolders } from "./block-folders.ts";
import { errorCode } from "./disk-fault.ts";
import { createEarlySyncs } from "./early-syncs.ts";
import { writeAll } from "./write-all.ts";
import { createWriterSteps } from "./writer-steps.ts";

export interface DiskWriter extends BlobWriter {
  /**
   * Writes all bytes of another file, copied by the kernel, which may share them between both files. Only
   * as the first write. Returns their number. Rejects with the error of a file that does not exist.
   */
  writeFile(path: string): Promise<number>;
}

/** Writes a new, empty file in a folder that was entered; `discard` and `seal` leave the folder. */
export function createDiskWriter(input: {
  file: FileHandle;
  path: string;
  block: number;
  folders: BlockFolders;
  faultOf: (error: unknown) => unknown;
}): DiskWriter {
  const { file, path, block, folders, faultOf } = input;
  const earlySyncs = createEarlySyncs(file);
  const steps = createWriterSteps(faultOf);
  let position = 0;
  let closing: Promise<void> | undefined;
  let hasEntered = true;

  function closeOnce(): Promise<void> {
    closing ??= file.close();
    return closing;
  }

  function leaveOnce(): void {
    if (hasEntered) folders.leave(block);
    hasEntered = false;
  }

  return {
    write: (chunk) =>
      steps.run(async () => {
        await writeAll(file, chunk, position);
        position += chunk.byteLength;
        await earlySyncs.onWritten(position);
      }),

    async writeFile(source) {
      await steps.run(async () => {
        position = await writeFile(fileBlob(file.fd), fileBlob(source));
        await earlySyncs.onWritten(position);
      });
      return position;
    },

    seal: () =>
      steps.seal(async () => {
        await earlySyncs.finish();
        await fsyncDurations.measure(() => file.sync());
        await Promise.all([closeOnce(), folders.sync(block)]);
        leaveOnce();
      }),

    discard: () =>
      steps.discard(async () => {
        await earlySyncs.finish().catch(() => {});
        await closeOnce().catch(() => {});
        const isRemoved = await unlink(path).then(
          () => true,
          (error) => errorCode(error) === "ENOENT",
        );
        leaveOnce();
        await folders.removeIfEmpty(block);
        return isRemoved;
      }),
  };
}
