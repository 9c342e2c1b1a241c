import { createDurations } from "../lib/durations.ts";

/*
 * What this process counts from its start. Not passed to what counts: caches and disks are opened deep inside, long
 * before anything reads these numbers, and adding to them takes nanoseconds.
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

/** From the request for a change of the catalog until it survives a power cut, or is refused. */
export const changeDurations = createDurations();

/** Of the fsyncs of blobs and their folders. */
export const fsyncDurations = createDurations();
