import type { FolderIds } from "../../domain/callers/caller.ts";
import type { Key, Name, Sha256 } from "../../domain/records.ts";
import type { MarkedFile } from "../records/select-records.ts";

/** The files in some folders and below them. */
export interface FilesWithin {
  readonly within: FolderIds;
  /** The one of `within` that is in all others. */
  readonly topId: string;
  /** Its key at the start of the list. */
  readonly topKey: Key;
  readonly name: Name | undefined;
  readonly sha256: Sha256 | undefined;
}

/** Rows of a list from a position on, in its order. */
export interface RowBatch {
  readonly rows: readonly MarkedFile[];
  /** Whether the list ends with these rows. */
  readonly isLast: boolean;
}
