import type { Key, Millis, Name } from "../../domain/records.ts";

/** A deletion into the trash, of one thing or of several at once. */
export interface TrashDeletionsTable {
  undo_id: string;
  deleted_at: Millis;
  /** It may be purged from then on. */
  expires_at: Millis;
  /** JSON. */
  actor: string;
}

/** What a deletion took out of the tree: a file, or a folder with everything inside. */
export interface TrashItemsTable {
  subject_id: string;
  undo_id: string;
  kind: "file" | "folder";
  /** The place that it was deleted from. */
  key: Key;
  /** The ids of the folders that contained it, from the root down, separated by commas. */
  parent_ids: string;
  /** The number of files; null: not counted yet. */
  files: number | null;
  /** The size of all files; null: not counted yet. */
  bytes: number | null;
}

/** What a restore must know about a folder that may be gone, while items that it contained are in the trash. */
export interface TrashFoldersTable {
  id: string;
  /** The last one that it had. */
  name: Name;
  /** The folder that a restore made in its place. */
  stand_in_id: string | null;
  /** No item that it contained is in the trash from then on. */
  expires_at: Millis;
}
