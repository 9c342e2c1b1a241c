import type { FileHandle } from "node:fs/promises";
import { fsyncDurations } from "../../domain/process-figures.ts";
import type { BlobWriter } from "../port.ts";
import { createEarlySyncs } from "./early-syncs.ts";
import { writeAll } from "./write-all.ts";
import { createWriterSteps } from "./writer-steps.ts";

/** Writes at one place of a file that others write too. The file stays whatever happens. */
export function createPartWriter(input: {
  file: FileHandle;
  offset: number;
  faultOf: (error: unknown) => unknown;
}): BlobWriter {
  const { file, offset, faultOf } = input;
  const earlySyncs = createEarlySyncs(file, offset);
  const steps = createWriterSteps(faultOf);
  let position = offset;
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    closing ??= file.close();
    await closing;
  }

  return {
    write: (chunk) =>
      steps.run(async () => {
        await writeAll(file, chunk, position);
        position += chunk.byteLength;
        await earlySyncs.onWritten(position);
      }),

    seal: () =>
      steps.seal(async () => {
        await earlySyncs.finish();
        await fsyncDurations.measure(() => file.datasync());
        await close();
      }),

    discard: () =>
      steps.discard(async () => {
        await earlySyncs.finish().catch(() => {});
        await close().catch(() => {});
        return true;
      }),
  };
}
