import type { FolderSize } from "../../../../../sdk/src/holdall.ts";
import type { MeasureEach } from "./create-measure-each.ts";
import { createRequestLimiter } from "./request-limiter.ts";

/** The size of a folder. Rejects with the signal's reason if that aborts first. */
export type SizeLoader = (id: string, signal: AbortSignal) => Promise<FolderSize>;

export interface SizeLoaderOptions {
  readonly measure: MeasureEach;
  /** Nothing is requested until no folder has been added for this time: a scroll goes past many. */
  readonly pauseMs: number;
  /** Folders per request. */
  readonly maxIds: number;
}

const MAX_REQUESTS_PER_MINUTE = 60;

interface Waiting {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly size: PromiseWithResolvers<FolderSize>;
}

/** Loads the sizes of all folders that are asked for at about the same time in one request. */
export function createSizeLoader({ measure, pauseMs, maxIds }: SizeLoaderOptions): SizeLoader {
  const limit = createRequestLimiter({ concurrency: 1, maxStarts: MAX_REQUESTS_PER_MINUTE });
  const waiting = new Set<Waiting>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isQueued = false;

  const queue = () => {
    if (isQueued || waiting.size === 0) return;
    isQueued = true;
    const loadWaiting = () => {
      isQueued = false;
      // Whatever has come and gone since then: these are in view now.
      const batch = [...waiting].slice(0, maxIds);
      for (const each of batch) waiting.delete(each);
      queue();
      return load(batch);
    };
    void limit(loadWaiting, new AbortController().signal);
  };

  async function load(batch: readonly Waiting[]): Promise<void> {
    if (batch.length === 0) return;
    const stopping = new AbortController();
    const unknown = new Set(batch);
    const stopIfUnwanted = () => {
      if ([...unknown].every(({ signal }) => signal.aborted)) stopping.abort();
    };
    for (const { signal } of batch) signal.addEventListener("abort", stopIfUnwanted);
    try {
      const ids = batch.map(({ id }) => id);
      for await (const each of measure(ids, stopping.signal)) {
        const sizes = new Map(each.map((folder) => [folder.id, folder]));
        for (const waited of unknown) {
          const found = sizes.get(waited.id);
          if (found === undefined) continue;
          waited.size.resolve(found);
          unknown.delete(waited);
        }
        stopIfUnwanted();
      }
      for (const { size } of unknown) size.reject(new Error("The folder could not be measured."));
    } catch (error) {
      for (const { size } of unknown) size.reject(error);
    } finally {
      for (const { signal } of batch) signal.removeEventListener("abort", stopIfUnwanted);
    }
  }

  return async (id, signal) => {
    signal.throwIfAborted();
    const entry: Waiting = { id, signal, size: Promise.withResolvers() };
    const leave = () => {
      waiting.delete(entry);
      entry.size.reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    waiting.add(entry);
    clearTimeout(timer);
    timer = setTimeout(queue, pauseMs);
    try {
      return await entry.size.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  };
}
