import type { ErrorCode } from "../../../contract/text/error-codes.ts";
import type { ChangedBy, SeenBy } from "../../domain/callers/caller.ts";
import type { Ref } from "../../domain/callers/ref.ts";
import type { Lifetime } from "../../domain/lifetime.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type {
  BranchingFolder,
  FileRecord,
  FolderRecord,
  Key,
  ListPosition,
  MetadataText,
  Name,
  NewFile,
  Page,
  PeekedFolder,
  Sha256,
  Visibility,
} from "../../domain/records.ts";
import type { RequestToRemember } from "../../domain/uploads.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { ChangeConditions } from "../../semantics/change-conditions.ts";
import type { MetadataPatch } from "../../semantics/file-metadata.ts";
import type { TreeCopies } from "./copies.ts";
import type { KeepsReplaced } from "./keeps-replaced.ts";
import type {
  CountedFiles,
  CountedFolders,
  FilePlace,
  FileSearch,
  RankedSearch,
  Search,
  SearchHit,
} from "./search.ts";

/** The tree of files and folders, as the caller of an operation sees it. */
export interface FileTree extends FileChanges, TreeCopies {
  fileById(caller: SeenBy, id: string): MaybePromise<FileRecord | undefined>;
  fileByKey(caller: SeenBy, key: Key): MaybePromise<FileRecord | undefined>;
  /** By its key relative to the folder, wherever that is in the tree at this moment. */
  fileBelow(folderId: string, key: Key): MaybePromise<FileRecord | undefined>;
  /**
   * Files in batches of at most 1,000, read as they are consumed, so that a list of any length needs
   * little memory. Without a filter: all files. A file that exists throughout, and whose order value
   * does not change meanwhile, is listed exactly once.
   */
  listFiles(caller: SeenBy, filter: FileFilter, page: Page): AsyncIterable<FileRecord[]>;
  folderById(caller: SeenBy, id: string): MaybePromise<FolderRecord | undefined>;
  /** The empty key is the root, which always exists. */
  folderByKey(caller: SeenBy, key: Key): MaybePromise<FolderRecord | undefined>;
  /** The folder that contains exactly what the caller sees; undefined: nothing. Without a limit, the root. */
  topFolder(caller: SeenBy): MaybePromise<FolderRecord | undefined>;
  /** Direct subfolders by name, in batches like `listFiles`. `after`: only those after this name. */
  listFolders(caller: SeenBy, parentId: string, after?: Name): AsyncIterable<FolderRecord[]>;
  /** All direct subfolders by name, each with its first files. The batches are smaller. */
  listFoldersWithPeek(caller: SeenBy, parentId: string): AsyncIterable<PeekedFolder[]>;
  /** All direct subfolders by name, each with whether it has subfolders. */
  listFoldersWithFolders(caller: SeenBy, parentId: string): AsyncIterable<BranchingFolder[]>;
  /**
   * At most `limit` folders at any depth below a folder, by key. Each batch takes a few milliseconds
   * and may be empty; a caller may stop after any of them. Fewer than `limit` hits mean that there
   * are no more; those without a record count.
   */
  findFolders(caller: SeenBy, search: Search<Key>): AsyncIterable<SearchHit<FolderRecord, Key>[]>;
  /** Finds files in and below a folder like `findFolders`, by the key of their folder and their name. */
  findFiles(caller: SeenBy, search: FileSearch): AsyncIterable<SearchHit<FileRecord, FilePlace>[]>;
  /** Finds files in another order, after reading everything below the folder. Finds no file twice. */
  rankFiles(
    caller: SeenBy,
    search: RankedSearch,
  ): AsyncIterable<SearchHit<FileRecord, ListPosition>[]>;
  /** The number of folders that `findFolders` finds without a limit, as the sum of all batches. */
  countFoundFolders(caller: SeenBy, search: CountedFolders): AsyncIterable<number>;
  /** The number of files that `findFiles` finds. */
  countFoundFiles(caller: SeenBy, search: CountedFiles): AsyncIterable<number>;
  /**
   * Totals below a folder, at any depth. Changes made meanwhile may be counted or not. Throws
   * `ConnectionClosed` soon after `signal` is aborted.
   */
  measure(caller: SeenBy, below: Key, signal?: AbortSignal): Promise<Measure>;
  /** Measures each of these folders, in this order. Leaves out folders that do not exist. */
  measureEach(
    caller: SeenBy,
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<MeasuredFolder[]>;
  /** Where the folder and those in it have their defaults for new files from. */
  folderDefaults(caller: SeenBy, folder: FolderRecord): Promise<FolderDefaults>;
  /** Counts below a folder, at any depth. Changes made meanwhile may be counted or not. */
  countVisibility(caller: SeenBy, below: Key): Promise<VisibilityCounts>;
  /** The first of the names that a file or folder in this folder has. A missing folder has none. */
  takenName(caller: SeenBy, folder: Key, names: readonly Name[]): Promise<Name | undefined>;
}

/** The changes of the tree, made by their caller. What the caller does not see is missing. */
export interface FileChanges {
  /**
   * Makes all files visible at once and creates the missing folders of `folder`. Returns the records
   * of the stored files in the order given. A replaced file gets a new `modifiedAt`, and its old blob
   * is condemned.
   *
   * Faults: "not_found" if the caller does not see the folder; "conflict" if a name is taken and
   * `onConflict` does not allow it, a name is given twice, or a folder of the path is a file;
   * "unavailable" if `owner` has lost the lease of a blob's block.
   */
  addFiles(caller: ChangedBy, input: NewFiles): Promise<FileRecord[]>;
  /**
   * A new name may change the media type with its extension. Metadata that needs
   * new validators changes `modifiedAt`. Keeping the name or folder is no conflict. A file that is skipped is
   * returned as it is. Faults: "not_found" for the file or the
   * folder to move to; "conflict"; "invalid" if the key or the metadata would become too long.
   */
  changeFile(caller: ChangedBy, input: FileChange): Promise<ChangedFile>;
  /**
   * Moves files, sets their visibility, or both, in one transaction. A file that cannot be moved, because
   * its name is taken or its key would become too long, stays as it is and is in `failed`; a skipped one is
   * in `changed` as it is. If files have the same name, the first one gets it. Unknown and repeated ids do not
   * count. Fault "not_found": the folder to move to.
   */
  changeFiles(caller: ChangedBy, input: FilesChange): Promise<FilesChanged>;
  /**
   * Removes the records and condemns their blobs. The result follows the order given, without
   * unknown files.
   */
  removeFiles(
    caller: ChangedBy,
    files: readonly Ref[],
  ): Promise<Pick<FileRecord, "id" | "key" | "blobId">[]>;

  /**
   * Creates a folder and its missing ancestors. Faults: "conflict": it exists, or a file is in the
   * path; "not_found": it would be where the caller sees nothing.
   */
  createFolder(caller: ChangedBy, key: Key): Promise<FolderRecord>;
  /**
   * Renames, moves, sets the visibility of all files inside at any depth, and the default of new ones.
   * Faults: "not_found" for the folder or the one to move to; "conflict"; "invalid" if it is the root and
   * would be renamed, moved or get a default, would be moved below itself, or a key inside would become too long.
   */
  changeFolder(caller: ChangedBy, input: FolderChange): Promise<FolderRecord>;
  /**
   * Removes the folder and everything inside at once. Its duration grows with the number of folders
   * inside, not of files: `emptyRemovedFolders` condemns the blobs later. Faults: "not_found";
   * "invalid" for the root.
   */
  removeFolder(caller: ChangedBy, folder: Ref): Promise<Pick<FolderRecord, "id">>;
}

export interface NewFiles extends KeepsReplaced {
  readonly folder: Key;
  readonly files: readonly NewFile[];
  /** Default: replaced files keep their own; new ones get the default of their folder. */
  readonly visibility?: Visibility | undefined;
  /** Default: that of the folder, or of a replaced file. */
  readonly lifetime?: Lifetime | undefined;
  /** The instance's default visibility, for folders that inherit none. */
  readonly defaultVisibility: Visibility;
  /** Default: none for new files; replaced files keep theirs, but for the content coding. */
  readonly metadata?: MetadataText | null | undefined;
  /** Who leases the blocks of the blobs. */
  readonly owner: string;
  /** Default: refuse. */
  readonly onConflict?: OnConflict | undefined;
  /** With one file. Fault "conflict": the same request, sent at the same time, has stored it. */
  readonly remember?: RequestToRemember | undefined;
  /** What must hold for the file that has the name, for each of the files. Fault "precondition_failed". */
  readonly conditions?: ChangeConditions | undefined;
}

export interface RememberedRequest {
  isSame(request: string): boolean;
  /** undefined: it is gone, or has changed since. */
  readonly file: FileRecord | undefined;
}

/** Changes of a file or folder, in one transaction. What is left out stays. */
interface Change {
  readonly id: Ref;
  readonly name?: Name;
  readonly visibility?: Visibility;
}

/** What to do with a file that moves or is renamed to a name that is taken in the folder. */
export interface OnConflictOptions {
  /** Default: refuse. "replace": the file that has the name is deleted; a folder is a conflict. */
  readonly onConflict?: OnConflict | undefined;
  /** How long a replaced file stays in the trash; undefined: it is deleted permanently. */
  readonly trashReplacedMs?: number | undefined;
}

export interface FileChange extends Change, OnConflictOptions {
  /** The folder to move it to. */
  readonly folderId?: Ref;
  /** null removes all metadata. */
  readonly metadata?: MetadataPatch | null;
  /** From now on. */
  readonly lifetime?: Lifetime;
}

/** The file after the change. */
export interface ChangedFile extends FileRecord {
  /** Restores the file that it replaced, if that is in the trash. */
  readonly undoId?: string;
}

export interface FilesChange extends OnConflictOptions {
  readonly ids: readonly Ref[];
  readonly visibility?: Visibility;
  /** From now on. */
  readonly lifetime?: Lifetime;
  /** The folder to move them to. */
  readonly folderId?: Ref;
}

/** Both lists are in the order given. */
export interface FilesChanged {
  readonly changed: readonly FileRecord[];
  /** The files in `changed` that are not skipped and not the same as before, with their previous keys. */
  readonly altered: readonly Pick<FileRecord, "id" | "key">[];
  readonly failed: readonly FailedItem[];
  /** The references to no file that the caller sees. */
  readonly missing: readonly Ref[];
  /** The folder that all files were in that have moved. undefined: none has moved, or they were in several. */
  readonly movedFrom?: Key;
  /** Restores the files that were replaced, if they are in the trash. */
  readonly undoId?: string;
}

/** What one of several changes could not be made to, and why. */
export interface FailedItem {
  readonly id: string;
  readonly key: Key;
  readonly code: ErrorCode;
  readonly message: string;
  /** What has the name in the folder, if that is why. */
  readonly takenBy?: "file" | "folder";
}

export interface FolderChange extends Change {
  /** What to do if the name is taken in the parent folder. Default: refuse. */
  readonly onConflict?: Exclude<OnConflict, "replace"> | undefined;
  /** The visibility of later uploads in and below the folder. null: the folder inherits it again. */
  readonly defaultVisibility?: Visibility | null;
  /** Seconds after which later uploads in and below the folder end; 0: never. null: the folder inherits it again. */
  readonly expireAfter?: number | null;
  /** The folder to move it to. */
  readonly parentId?: Ref;
  /** The contents of a large folder that moves into one with a quota, versions included, as counted before the change. */
  readonly measured?: { readonly bytes: number; readonly files: number };
}

export interface FileFilter {
  readonly folderId?: string;
  readonly name?: Name;
  readonly sha256?: Sha256;
}

export interface FolderDefaults {
  /** The folder itself or the nearest above it that has a default; undefined: none that the caller sees. */
  readonly origin: FolderRecord | undefined;
  /** The first 1,000 direct subfolders with a default of their own, by name. */
  readonly subfolders: readonly FolderRecord[];
}

export interface VisibilityCounts {
  readonly files: Readonly<Record<Visibility, number>>;
  /** Those with a default of their own, by that. Without the folder itself. */
  readonly folders: Readonly<Record<Visibility, number>>;
}

export interface Measure {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

export interface MeasuredFolder extends Measure {
  readonly id: string;
  readonly key: Key;
}
