import type { Actor } from "./activity.ts";
import type { FileRecord, FolderRecord, Key, Millis, Visibility } from "./records.ts";

/** A file as lists show it. */
export type ListedFile = Pick<
  FileRecord,
  | "id"
  | "folderId"
  | "name"
  | "key"
  | "mimeType"
  | "size"
  | "visibility"
  | "createdAt"
  | "updatedAt"
>;

/** A folder as lists show it. */
export type ListedFolder = Omit<
  FolderRecord,
  "defaultVisibility" | "inheritedVisibility" | "expireAfter" | "inheritedExpireAfter"
>;

/** A file that appeared, got new content or other properties, or came back from the trash. */
interface FileChanged {
  readonly kind: "file.created" | "file.replaced" | "file.updated" | "file.restored";
  readonly file: ListedFile;
}

/** A file that was renamed or moved, perhaps with another visibility. */
interface FileMoved {
  readonly kind: "file.moved";
  readonly file: ListedFile;
  readonly fromKey: Key;
}

interface FolderCreated {
  readonly kind: "folder.created";
  readonly folder: ListedFolder;
}

/**
 * A folder that was renamed or moved, with everything inside. `visibility`: all files inside have it
 * from then on; null: they keep theirs.
 */
interface FolderMoved {
  readonly kind: "folder.moved";
  readonly folder: ListedFolder;
  readonly fromKey: Key;
  readonly visibility: Visibility | null;
}

/** A folder that came back from the trash, with everything that was inside when it was deleted. */
interface FolderRestored {
  readonly kind: "folder.restored";
  readonly folder: ListedFolder;
  /** When it was deleted. */
  readonly fromKey: Key;
}

/**
 * All files in the folder, at any depth, have this visibility from then on; null: they keep theirs, and
 * new ones have another default.
 */
interface FolderUpdated {
  readonly kind: "folder.updated";
  readonly id: string;
  readonly key: Key;
  readonly visibility: Visibility | null;
}

/** A deleted folder takes everything inside with it. */
interface Deleted {
  readonly kind: "file.deleted" | "folder.deleted";
  readonly id: string;
  readonly key: Key;
}

/** One change of the tree of files and folders. */
export type TreeChange =
  | FileChanged
  | FileMoved
  | FolderCreated
  | FolderMoved
  | FolderRestored
  | FolderUpdated
  | Deleted;

/** A position in the change feed: after the entry with this number. */
export interface FeedPosition {
  readonly seq: number;
  /**
   * Derived from the entry, so that a position of another feed is recognized: after a catalog was
   * restored from an older copy, the same number belongs to another entry.
   */
  readonly check: string;
}

/** A change in the feed. */
export interface FeedEntry {
  /** The position after this entry. */
  readonly position: FeedPosition;
  /** The time of the change, which records show as their `updatedAt`. */
  readonly at: Millis;
  readonly actor: Actor;
  readonly change: TreeChange;
}

/** Who makes changes without a request. */
export const COMMAND: Actor = { kind: "command", id: null, name: null };

/** Who moves files to the trash that have ended. */
export const EXPIRY: Actor = { kind: "expiry", id: null, name: null };
