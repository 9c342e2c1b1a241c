import type { ActivityRecord, NewActivity, Outcome } from "../../domain/activity.ts";
import type { SeenBy } from "../../domain/callers/caller.ts";
import type { Key, Millis } from "../../domain/records.ts";

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
  /**
   * In the subject's name, as a search for names matches it; for callers without a limit also in the
   * caller's name or the address.
   */
  readonly text?: string | undefined;
  /** Inclusive. */
  readonly since?: Millis | undefined;
  /** Exclusive. */
  readonly until?: Millis | undefined;
  /** Older than the entry with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** Ends a search through the log, with ConnectionClosed. */
  readonly signal?: AbortSignal | undefined;
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
