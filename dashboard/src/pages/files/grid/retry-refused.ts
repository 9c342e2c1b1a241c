import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries, isStatus, waitAfter } from "../../../app/connection/client.ts";
import { sleep } from "../../../app/sleep.ts";
import { limitThumbnails } from "./limit-thumbnails.ts";

/** The most attempts of loaders that do not tell why they failed, so that a damaged file is not loaded again and again. */
export const MAX_ATTEMPTS = 3;

/** The server is busy or was not reached, so that a later attempt may succeed. */
const isRefused = (error: unknown): boolean =>
  [0, 429, 502, 503].some((status) => isStatus(error, status));

/** Many thumbnails are refused at once, and should not all come back at once. */
const waitBefore = (error: unknown): number => waitAfter(error) * (1 + Math.random() / 2);

/** Options of a query for a thumbnail: it waits as long as the server refuses it. */
export const retryRefused = {
  retry: (_count: number, error: unknown) => isRefused(error),
  retryDelay: (_count: number, error: unknown) => waitBefore(error),
};

/**
 * Resolves when the server serves the file, for loaders that do not tell for how long they were
 * refused: with whether it refused it at first. Rejects if it will not serve it.
 */
export async function whenServed({ id }: FileObject, signal: AbortSignal): Promise<boolean> {
  const range = { start: 0, end: 0 };
  for (let wasRefused = false; ; wasRefused = true) {
    try {
      await limitThumbnails(async () => {
        const { response } = await holdallWithoutRetries.files.download(id, { range, signal });
        await response.arrayBuffer();
      }, signal);
      return wasRefused;
    } catch (error) {
      if (signal.aborted || !isRefused(error)) throw error;
      await sleep(waitBefore(error), signal);
    }
  }
}
