import type { Key, Millis } from "../../rules/records.ts";

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
  /** Where it was. */
  key: Key;
  /** The ids of the folders that contained it, from the root down, separated by commas. */
  parent_ids: string;
  /** The number of files; null: not counted yet. */
  files: number | null;
  /** Of all files; null: not counted yet. */
  bytes: number | null;
}
