import type { ActivityRecord, NewActivity, Outcome } from "../../domain/activity.ts";
import type { SeenBy } from "../../domain/caller.ts";
import type {
  FileDayTraffic,
  HourlyTraffic,
  Key,
  KeyDayTraffic,
  KeyTotals,
  Millis,
  RequestedFile,
} from "../../domain/records.ts";

/** The audit log. */
export interface ActivityLog {
  addActivity(events: readonly NewActivity[]): Promise<void>;
  /**
   * Newest first. A caller with a limit gets only entries about files and folders that are inside now, also
   * from before they were moved in. Their subject's name is the current key. Others get all, as recorded.
   */
  activity(caller: SeenBy, query: ActivityQuery): Promise<ActivityRecord[]>;
  /** Removes at most `limit` of the oldest entries from before a moment. Returns how many. */
  removeActivity(before: Millis, limit: number): Promise<number>;
}

/** All conditions must hold. */
export interface ActivityQuery {
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly subjectId?: string | undefined;
  /** Inclusive. */
  readonly since?: Millis | undefined;
  /** Exclusive. */
  readonly until?: Millis | undefined;
  /** Older than the entry with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Totals of the instance, counted in parts, so that no caller waits for all of them. */
export interface StatisticsPort {
  /**
   * Counts the next `limit` files by id after `after`, by media type. `last` is where to continue;
   * null at the end.
   */
  countFiles(
    after: string,
    limit: number,
  ): Promise<{ types: MediaTypeCount[]; last: string | null }>;
  /** Counts the next folders like `countFiles`, including the root. */
  countFolders(after: string, limit: number): Promise<{ count: number; last: string | null }>;
  /**
   * Counts the files below a folder by media type, and the folders, in parts like `measure`. Only what
   * the caller sees counts.
   */
  countWithin(caller: SeenBy, below: Key): Promise<{ types: MediaTypeCount[]; folders: number }>;
}

export interface MediaTypeCount {
  readonly mimeType: string;
  readonly files: number;
  readonly bytes: number;
}

/** Traffic served by hour. */
export interface TrafficLog {
  /** Adds to the counts of these hours. */
  addTraffic(hours: readonly HourlyTraffic[]): Promise<void>;
  /** Hours that began at a moment or later, oldest first, without those that had no traffic. */
  traffic(since: Millis): Promise<HourlyTraffic[]>;
  /** Removes the hours that began before a moment. */
  removeTraffic(before: Millis): Promise<void>;
}

/** Requests of API keys by day. */
export interface KeyTrafficLog {
  /** Adds to the counts of these keys and days. */
  addKeyTraffic(days: readonly KeyDayTraffic[]): Promise<void>;
  /** The sums over the days that began at a moment or later, of the keys that have any. */
  keyTraffic(since: Millis): Promise<KeyTotals[]>;
  /** Removes the days before the one of this moment. */
  removeKeyTraffic(before: Millis): Promise<void>;
}

/** The files with the most requests of each day. */
export interface FileTrafficLog {
  /**
   * Adds to the counts of these files on a day, then keeps the `MAX_FILES_PER_DAY` files with the most weight
   * (`lib/frequent-items.ts`).
   */
  addFileTraffic(day: Millis, files: readonly FileDayTraffic[]): Promise<void>;
  /**
   * The files with the most requests on the days that began at a moment or later, with the sums over
   * these days; most requests first. Without those that are deleted or in the trash.
   */
  requestedFiles(since: Millis, limit: number): Promise<RequestedFile[]>;
  /** Removes the days before the one of this moment. */
  removeFileTraffic(before: Millis): Promise<void>;
}

/** A count misses at most the requests of the whole day, divided by one more than this. */
export const MAX_FILES_PER_DAY = 250;
