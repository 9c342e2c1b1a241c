import { createDurations } from "../lib/durations.ts";

/*
 * Counts of this process since its start. They are global because caches and disks are opened deep inside, long before
 * anything reads these numbers. Adding to them takes nanoseconds.
 */

/** How often a cache was asked. */
export interface CacheCounts {
  hits: number;
  misses: number;
}

const nothing = (): CacheCounts => ({ hits: 0, misses: 0 });

export const cacheCounts = {
  /** Records of files by key. */
  files: nothing(),
  /** Ids of folders by key. */
  folders: nothing(),
  /** API keys and sessions. */
  credentials: nothing(),
  /** Pages of lists. */
  lists: nothing(),
  /** The bytes of small files. */
  contents: nothing(),
};

export type CacheName = keyof typeof cacheCounts;

/** How long changes of the catalog take until they survive a power cut, or are refused. */
export const changeDurations = createDurations();

/** How long the fsyncs of blobs and their folders take. */
export const fsyncDurations = createDurations();
