import type { BlobWriter } from "../port.ts";
import { createObjectUpload, type ObjectUploadDeps } from "./object-upload.ts";

export interface S3WriterDeps extends ObjectUploadDeps {
  /** Translates S3 errors. */
  readonly faultOf: (error: unknown) => unknown;
  /** Called when the key may be written again. */
  readonly onDiscarded: () => void;
}

/** Writes a blob. The object appears with `seal`. */
export function createS3Writer(deps: S3WriterDeps): BlobWriter {
  const upload = createObjectUpload(deps);
  let state: "open" | "sealed" | "failed" | "discarded" = "open";
  let discarding: Promise<boolean> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs one step at a time, and none after a failure. */
  function enqueue(step: () => Promise<void>): Promise<void> {
    const run = last.then(async () => {
      if (state !== "open") throw new Error(`This blob is ${state} and cannot be written.`);
      try {
        await step();
      } catch (error) {
        state = "failed";
        upload.stop();
        throw deps.faultOf(error);
      }
    });
    last = run.catch(() => {});
    return run;
  }

  async function removeBlob(): Promise<boolean> {
    // After a failure only one attempt, as the client has waited long enough.
    const attempts = state === "failed" ? 1 : undefined;
    await upload.release().catch(() => {});
    state = "discarded";
    try {
      await upload.remove(attempts);
      await deps.reservation.then(deps.onDiscarded, () => {});
      return true;
    } catch {
      return false;
    }
  }

  return {
    write: (chunk) => enqueue(() => upload.write(chunk)),

    seal: () =>
      enqueue(async () => {
        await upload.complete();
        await upload.release();
        state = "sealed";
      }),

    discard() {
      discarding ??= last.then(removeBlob);
      last = discarding;
      return discarding;
    },
  };
}
