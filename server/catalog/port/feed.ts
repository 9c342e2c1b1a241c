import type { Key, Millis } from "../../domain/records.ts";
import type { FeedEntry, FeedPosition } from "../../domain/tree-change.ts";

/**
 * The change feed: every change of the tree, in an order in which changes that depend on each other
 * took effect. An entry exists if and only if its change does.
 */
export interface ChangeFeed {
  /** The end of the feed, after every change that had resolved before the call. */
  feedEnd(): Promise<FeedPosition>;
  /**
   * At most `limit` entries after a position, oldest first. Fault "gone": the position is of another
   * feed, or its entry has been removed.
   */
  changesAfter(position: FeedPosition, limit: number): Promise<FeedEntry[]>;
  /** Where a folder has been since a position. undefined: there is no such folder now. */
  folderPlaces(id: string, after: FeedPosition): Promise<FolderPlaces | undefined>;
  /** Removes the oldest entries. Returns how many. */
  pruneChanges(limits: PruneLimits): Promise<number>;
}

export interface FolderPlaces {
  /** The folder's key now. */
  readonly key: Key;
  /**
   * Until now, oldest first: its creation, if that is after the position, the moves of all folders, and
   * the deletions and restores of those that were restored.
   */
  readonly moves: readonly FolderStep[];
}

export interface FolderStep {
  readonly kind: "folder.created" | "folder.moved" | "folder.deleted" | "folder.restored";
  /** The id of the folder that was created, moved, deleted or restored. */
  readonly id: string;
  /** After that; of a deleted one, before it. */
  readonly key: Key;
  /** Before it was moved; otherwise `key`. */
  readonly fromKey: Key;
}

export interface PruneLimits {
  /** Entries from before this moment are removed. */
  readonly before: Millis;
  /** How many entries stay at most. */
  readonly keep: number;
  /** How many are removed at most. */
  readonly limit: number;
}
