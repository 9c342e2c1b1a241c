import { chmodSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { COMMITTED_MODE } from "./committed-mode.ts";

/* The thread that marks committed blobs, so that this does not block the thread that serves requests. */

export interface ToMarkThread {
  readonly id: number;
  readonly paths: readonly string[];
}

/** The id of the message whose files are marked. */
export type FromMarkThread = number;

function mark(path: string): void {
  try {
    chmodSync(path, COMMITTED_MODE);
  } catch {
    // The file may be deleted already, and some volumes have no modes.
  }
}

parentPort?.on("message", ({ id, paths }: ToMarkThread) => {
  for (const path of paths) mark(path);
  const done: FromMarkThread = id;
  parentPort?.postMessage(done);
});
