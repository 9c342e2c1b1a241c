import type { ActivityObject } from "./activity.ts";
import type { FileObject, Visibility } from "./files.ts";
import type { FolderObject } from "./folders.ts";

/** What a change did. A deleted folder takes everything inside with it. */
export type ChangeKind =
  | "file.created"
  | "file.replaced"
  | "file.updated"
  | "file.moved"
  | "file.deleted"
  | "file.restored"
  | "folder.created"
  | "folder.updated"
  | "folder.moved"
  | "folder.deleted"
  | "folder.restored";

/** A change of a file or folder. */
export interface ChangeObject {
  /** The position after this change. */
  cursor: string;
  kind: ChangeKind;
  at: string;
  /** `id` and `name` are null where the caller may not see them. */
  actor: ActivityObject["actor"];
  /** The id of the file or folder. */
  id: string;
  /** After the change; of something deleted: before it. */
  key: string;
  /** Before the change, if the key has changed. */
  fromKey: string | null;
  /** The file after the change. null for folders and for deleted files. */
  file: FileObject | null;
  /** The folder after the change. null for files, for deleted folders, and if only content or the key changed. */
  folder: FolderObject | null;
  /** All files in the folder, at any depth, have this visibility from then on; null: they keep theirs. */
  visibility: Visibility | null;
  /** The folder appeared with its content, which has no changes of its own: list it. */
  hasContent: boolean;
}

export interface ChangePage {
  /** Oldest first. */
  changes: ChangeObject[];
  /** The `since` of the next page. */
  cursor: string;
  /** Whether there are more changes already. */
  more: boolean;
}

export interface ChangeParameters {
  /** A cursor. Left out: none but the current cursor. */
  since?: string;
  /** The id or key of a folder: only changes in it. */
  folder?: string;
  limit?: number;
}
