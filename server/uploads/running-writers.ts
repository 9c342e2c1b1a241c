import type { Fault } from "../domain/faults/fault.ts";
import { lockedUpload } from "./upload-faults.ts";

/** The requests of this process that write to uploads: at most one for each upload. */
export interface RunningWriters {
  /** Fault "locked": another request writes to the upload; it is asked to stop. */
  start(uploadId: string): RunningWriter;
  /** Asks the writer of an upload to stop, if there is one. */
  stop(uploadId: string, reason: Fault): void;
}

export interface RunningWriter {
  /** Aborted with a fault when the writer is to stop. */
  readonly signal: AbortSignal;
  stop(reason: unknown): void;
  /** The writer has ended. */
  end(): void;
}

export function createRunningWriters(): RunningWriters {
  const writers = new Map<string, AbortController>();

  return {
    start(uploadId) {
      const running = writers.get(uploadId);
      if (running !== undefined) {
        running.abort(lockedUpload());
        throw lockedUpload();
      }
      const controller = new AbortController();
      writers.set(uploadId, controller);
      return {
        signal: controller.signal,
        stop: (reason) => controller.abort(reason),
        end: () => void writers.delete(uploadId),
      };
    },
    stop: (uploadId, reason) => writers.get(uploadId)?.abort(reason),
  };
}
