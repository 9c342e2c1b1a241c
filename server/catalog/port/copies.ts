import type { ChangedBy } from "../../domain/callers/caller.ts";
import type { Ref } from "../../domain/callers/ref.ts";
import type { Lifetime } from "../../domain/lifetime.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type { BlobId, FileRecord, FolderRecord, Name } from "../../domain/records.ts";
import type { KeepsReplaced } from "./keeps-replaced.ts";

/** The most files in one copy. */
export const MAX_COPIED_FILES = 10_000;
/** The most folders in one copy, including the copied folder itself. */
export const MAX_COPIED_FOLDERS = 10_000;

/**
 * The records of copies. The caller copies the blobs: each belongs to one file. It learns which ones from
 * the first call, without blobs, which also has the faults that can be known by then.
 */
export interface TreeCopies {
  /**
   * Adds copies of files, in the order given; skipped ones are left out. A copy has the media type,
   * digests, metadata and visibility of its file as they are now. Without a folder, each is added to the
   * folder of its file. A private file that replaces a public one makes it private.
   *
   * Faults: "not_found": a file, or the folder to copy to; "conflict": a name is taken and `onConflict`
   * does not allow it, a name is given twice, or a file would replace itself; "invalid": a key would be
   * too long; "unavailable": `owner` has lost the lease of a blob's block.
   */
  copyFiles(caller: ChangedBy, input: FilesCopy): Promise<CopyOutcome<readonly FileRecord[]>>;
  /**
   * Adds a copy of a folder with everything that is in it now. The copy may be inside of the folder:
   * it then contains what was there before. If a folder has its name, `onConflict` decides: "replace"
   * and "skip" add to that folder, and apply to its files. Faults: same as `copyFiles`, and "invalid": the
   * root; "too_large": there is more than a copy may have.
   */
  copyFolder(caller: ChangedBy, input: FolderCopy): Promise<CopyOutcome<CopiedFolder>>;
}

/** The content of a file. */
export interface CopySource {
  readonly blobId: BlobId;
  /** In bytes. */
  readonly size: number;
}

/** `missing`: nothing was changed, because the copies of these contents are not among the blobs. */
export type CopyOutcome<Result> =
  | { readonly missing: readonly CopySource[] }
  | { readonly copied: Result };

/** A blob that was copied. */
export interface BlobCopy {
  readonly from: BlobId;
  readonly to: BlobId;
}

interface Copy extends KeepsReplaced {
  /** Blobs that no copy uses are condemned. */
  readonly blobs: readonly BlobCopy[];
  /** Who leases their blocks. */
  readonly owner: string;
  readonly onConflict: OnConflict;
}

export interface FilesCopy extends Copy {
  readonly ids: readonly Ref[];
  /** The folder to copy them to. */
  readonly folderId?: Ref | undefined;
  /** The name of the copy, if one file is copied. */
  readonly name?: Name | undefined;
  /** Default: the copies do not end. */
  readonly lifetime?: Lifetime | undefined;
}

export interface FolderCopy extends Copy {
  readonly id: Ref;
  /** The folder to copy it to. Default: its parent. */
  readonly parentId?: Ref | undefined;
  /** The name of the copy. */
  readonly name?: Name | undefined;
}

export interface CopiedFolder {
  /** The copy, or the existing folder that it was added to. */
  readonly folder: FolderRecord;
  /** The number of files that were added. */
  readonly added: number;
  readonly replaced: number;
  readonly skipped: number;
  /** The size of the added and replaced files. */
  readonly bytes: number;
}
