import type { Millis, RequestedFile } from "../../domain/records.ts";

/** Counts of requests by period and subject, for each kind on its own. */
export interface Counters {
  /**
   * Adds to these counts. For files, it then keeps the `MAX_FILES_PER_DAY` files of each of these days
   * that have the most weight (`lib/frequent-items.ts`).
   */
  addCounts(kind: CounterKind, counts: readonly NewCount[]): Promise<void>;
  /** The counts of the periods that began at a moment or later, by period, then by subject. */
  counts(kind: CounterKind, since: Millis): Promise<Count[]>;
  /** The sums over the periods that began at a moment or later. Most requests first, then by subject. */
  totals(kind: CounterKind, since: Millis): Promise<Totals[]>;
  /**
   * The files with the most requests on the days that began at a moment or later, with the sums over
   * these days; most requests first. Without those that are deleted or in the trash.
   */
  requestedFiles(since: Millis, limit: number): Promise<RequestedFile[]>;
  /** Removes the periods that began before a moment. */
  removeCounts(kind: CounterKind, before: Millis): Promise<void>;
}

/**
 * - `hour`: requests for files by hour. The subject is empty for the totals, and a status, such as "404",
 *   for the requests that failed with it.
 * - `key`: requests by day (UTC) and API key. A key may have been revoked since.
 * - `file`: the files with the most requests by day (UTC). A file may have been deleted since. Requests
 *   from before it was one of these files are missing.
 */
export type CounterKind = "hour" | "key" | "file";

export interface Totals {
  readonly subject: string;
  readonly requests: number;
  /** Bytes of file content. */
  readonly bytes: number;
  /** Requests with a status of 400 or above. */
  readonly errors: number;
}

export interface Count extends Totals {
  /** The start of the hour or day. */
  readonly period: Millis;
}

export interface NewCount extends Omit<Count, "errors"> {
  /** Default: 0. */
  readonly errors?: number;
  /** Decides which files are kept, see `lib/frequent-items.ts`. Default: 0. */
  readonly weight?: number;
}

/** A count misses at most the requests of the whole day, divided by one more than this. */
export const MAX_FILES_PER_DAY = 250;
