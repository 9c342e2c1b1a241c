import { Worker } from "node:worker_threads";
import type { FromMarkThread, ToMarkThread } from "./mark-thread.ts";

/** Marks committed blobs, see `markCommitted` of the store. */
export interface CommitMarks {
  /** Resolves when the files at these paths have been marked, or cannot be. Never rejects. */
  mark(paths: readonly string[]): Promise<void>;
}

/** The thread takes several megabytes, so it ends when there was nothing to mark for this long. */
const IDLE_MS = 10_000;
/** Waking the thread costs as much as 20 marks, and nothing waits for a mark. */
const GATHER_MS = 50;

interface Batch {
  readonly id: number;
  readonly paths: string[];
  readonly marked: PromiseWithResolvers<void>;
}

/**
 * Marks blobs on a thread, which it starts when it is needed: done by the runtime's own threads, each
 * mark would cost the thread that serves requests as much as opening a file. Blobs that are committed
 * at the same time are marked together.
 */
export function createCommitMarks(): CommitMarks {
  const sent = new Map<number, Batch>();
  let next: Batch | undefined;
  let lastId = 0;
  let thread: Worker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function startThread(): Worker {
    const started = new Worker(new URL("./mark-thread.ts", import.meta.url));
    started.on("message", (id: FromMarkThread) => {
      sent.get(id)?.marked.resolve();
      sent.delete(id);
      if (sent.size === 0) rest(started);
    });
    const onEnd = (): void => {
      if (thread === started) stopThread();
    };
    started.on("error", onEnd);
    started.on("exit", onEnd);
    return started;
  }

  /** Does not keep the process running, and ends if it stays idle. */
  function rest(resting: Worker): void {
    resting.unref();
    clearTimeout(idle);
    idle = setTimeout(stopThread, IDLE_MS);
    idle.unref();
  }

  function stopThread(): void {
    clearTimeout(idle);
    void thread?.terminate();
    thread = undefined;
    for (const { marked } of sent.values()) marked.resolve();
    sent.clear();
  }

  function send(batch: Batch): void {
    next = undefined;
    clearTimeout(idle);
    thread ??= startThread();
    thread.ref();
    sent.set(batch.id, batch);
    const message: ToMarkThread = { id: batch.id, paths: batch.paths };
    thread.postMessage(message);
  }

  function startBatch(): Batch {
    lastId += 1;
    const batch = { id: lastId, paths: [], marked: Promise.withResolvers<void>() };
    setTimeout(send, GATHER_MS, batch);
    return batch;
  }

  return {
    mark(paths) {
      next ??= startBatch();
      next.paths.push(...paths);
      return next.marked.promise;
    },
  };
}
