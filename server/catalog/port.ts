import type { ActivityRecord, Actor, NewActivity, Outcome } from "../rules/activity.ts";
import type { MetadataPatch } from "../rules/file-metadata.ts";
import type { MaybePromise } from "../rules/maybe-promise.ts";
import type { NameMatch } from "../rules/name-match.ts";
import type { OnConflict } from "../rules/on-conflict.ts";
import type {
  AccountRecord,
  ApiKeyRecord,
  BlobId,
  FileRecord,
  FolderRecord,
  HourlyTraffic,
  Key,
  MetadataText,
  Millis,
  Name,
  NewFile,
  Page,
  SessionRecord,
  Sha256,
  Visibility,
} from "../rules/records.ts";
import type { FeedEntry, FeedPosition } from "../rules/tree-change.ts";

/*
 * The contract of the catalog, on any engine:
 *
 * - Every change is one transaction. When its promise resolves, the change survives a power cut; when
 *   it rejects, nothing was changed.
 * - A read that starts after a change has resolved sees that change.
 * - Faults: "not_found", "conflict" and "invalid" as said at each method; "no_space" when the
 *   catalog's disk is full, though changes that free space succeed as long as possible;
 *   "unavailable" when the engine stays busy or cannot be reached.
 * - Absent records are `undefined`, not a fault, unless said otherwise.
 */

/**
 * The ids of the folders that limit an operation to what is in all of them, at any depth, and to the
 * folder itself. Everything else is treated as if it did not exist, also when a folder is renamed,
 * moved or removed meanwhile. There is at least one id.
 */
export type Within = readonly string[];

/** The tree of files and folders. `within` limits an operation; left out: everything. */
export interface FileTree {
  fileById(id: string, within?: Within): MaybePromise<FileRecord | undefined>;
  fileByKey(key: Key, within?: Within): MaybePromise<FileRecord | undefined>;
  /**
   * Files in batches of at most 1,000, read as they are consumed, so that a list of any length needs
   * little memory. Without a filter: all files. A file that exists throughout, and whose order value
   * does not change meanwhile, is listed exactly once.
   */
  listFiles(filter: FileFilter, page: Page): AsyncIterable<FileRecord[]>;
  folderById(id: string, within?: Within): MaybePromise<FolderRecord | undefined>;
  /** The empty key is the root, which always exists. */
  folderByKey(key: Key, within?: Within): MaybePromise<FolderRecord | undefined>;
  /** The folder that contains exactly what is `within`; undefined: nothing is. Without it, the root. */
  topFolder(within?: Within): MaybePromise<FolderRecord | undefined>;
  /** Direct subfolders by name, in batches like `listFiles`. */
  listFolders(parentId: string, within?: Within): AsyncIterable<FolderRecord[]>;
  /**
   * At most `limit` folders at any depth below a folder, by key. Each batch takes a few milliseconds
   * and may be empty; a caller may stop after any of them.
   */
  findFolders(search: Search<Key>): AsyncIterable<FolderRecord[]>;
  /** Likewise files in the folder and below it, by the key of their folder and their name. */
  findFiles(search: Search<FilePlace>): AsyncIterable<FileRecord[]>;
  /** Totals below a folder, at any depth. Changes made meanwhile may be counted or not. */
  measure(below: Key, within?: Within): Promise<Measure>;
  /** The first of the names that a file or folder in this folder has. A missing folder has none. */
  takenName(folder: Key, names: readonly Name[], within?: Within): Promise<Name | undefined>;

  /**
   * Makes all files visible at once and creates the missing folders of `folder`. Returns the records
   * of the stored files in the order given. A replaced file gets a new `modifiedAt`, and its old blob
   * is condemned.
   *
   * Faults: "not_found" if the folder is outside `within`; "conflict" if a name is taken and
   * `onConflict` does not allow it, a name is given twice, or a folder of the path is a file;
   * "unavailable" if `owner` has lost the lease of a blob's block.
   */
  addFiles(input: NewFiles): Promise<FileRecord[]>;
  /**
   * A new name may change the media type with its extension. Metadata that needs
   * new validators changes `modifiedAt`. Keeping the name or folder is no conflict. Faults: "not_found" for the file or the
   * folder to move to; "conflict"; "invalid" if the key or the metadata would become too long.
   */
  changeFile(input: FileChange): Promise<FileRecord>;
  /**
   * Removes the records and condemns their blobs. The result follows the order given, without
   * unknown ids.
   */
  removeFiles(ids: readonly string[], within?: Within): Promise<{ id: string; blobId: BlobId }[]>;

  /**
   * Creates a folder and its missing ancestors. Faults: "conflict": it exists, or a file is in the
   * path; "not_found": it would be outside `within`.
   */
  createFolder(key: Key, within?: Within): Promise<FolderRecord>;
  /**
   * Renames, moves, and sets the visibility of all files inside at any depth. Faults: "not_found"
   * for the folder or the one to move to; "conflict"; "invalid" if it is the root and would be
   * renamed or moved, would be moved below itself, or a key inside would become too long.
   */
  changeFolder(input: FolderChange): Promise<FolderRecord>;
  /**
   * Removes the folder and everything inside at once. Its duration grows with the number of folders
   * inside, not of files: `emptyRemovedFolders` condemns the blobs later. Faults: "not_found";
   * "invalid" for the root.
   */
  removeFolder(id: string, within?: Within): Promise<void>;
}

/**
 * Which blobs are in use. A process leases blocks of 256 blob ids. A blob of a leased block that no
 * file refers to may still be written; once the lease has expired it is an orphan.
 */
export interface BlobLedger {
  /** Leases a block number that was never used before. */
  leaseBlock(owner: string): Promise<number>;
  /** Renews the owner's leases of these blocks. Its other leases will expire. */
  renewLeases(owner: string, blocks: readonly number[]): Promise<void>;
  /**
   * Releases expired leases, and returns all blocks whose lease is released, for sweeping. A lease
   * expires when it was not renewed for `LEASE_SECONDS` of the catalog's clock. Opening an exclusive
   * catalog releases all leases except those of commands (`CLI_LEASE_PREFIX`). An addFiles of the
   * former owner fails.
   */
  releaseExpiredLeases(): Promise<number[]>;
  /** The blobs of a block that a file refers to, even in a removed folder, or that are condemned. */
  knownBlobs(block: number): Promise<BlobId[]>;
  /**
   * "none" is final: a block is leased once. "expired" may become "active" again until the lease is
   * "released", which it stays until the block has been swept and its lease ended.
   */
  leaseState(block: number): Promise<"active" | "expired" | "released" | "none">;
  /**
   * Takes the lease from its owner. Once this resolves, every earlier addFiles with blobs of the
   * block has finished, and no later one will succeed.
   */
  releaseLease(block: number): Promise<void>;
  /** Does the same for all leases of an owner whose process has exited. */
  releaseLeasesOf(owner: string): Promise<void>;
  /** Idempotent. */
  endLease(block: number): Promise<void>;
  /**
   * Continues to empty removed folders: condemns the blobs of at most `limit` files. Returns false
   * when nothing is left to do. Must be called until then after every removal and after a crash.
   */
  emptyRemovedFolders(limit: number): Promise<boolean>;
  /**
   * Blobs whose record is gone and whose bytes are to be removed, unless `hasBackupHold`; oldest first.
   * Never a blob that a file refers to.
   */
  condemnedBlobs(limit: number): Promise<BlobId[]>;
  /** Those of these blobs that a file refers to, so that their bytes must stay. */
  blobsInUse(ids: readonly BlobId[]): Promise<BlobId[]>;
  /** To be called when the bytes of condemned blobs are durably removed. */
  forgetCondemnedBlobs(ids: readonly BlobId[]): Promise<void>;

  /**
   * Holds the bytes of all current files for a backup: once this resolves, deleted files keep their
   * bytes until the hold ends, or expires like a lease. Starting a server does not end holds. The
   * owner may start its hold again.
   */
  startBackupHold(owner: string): Promise<void>;
  /** Returns false if the hold had expired or was never started: bytes may have been removed. */
  renewBackupHold(owner: string): Promise<boolean>;
  /** Idempotent. */
  endBackupHold(owner: string): Promise<void>;
  /**
   * Whether there is any hold. To be asked before removing bytes and after their blobs were
   * condemned: a hold that starts later does not cover them.
   */
  hasBackupHold(): Promise<boolean>;

  /** Blobs of files, ascending from `after` (exclusive), for checking the store. */
  blobsAfter(after: number, limit: number): Promise<StoredBlob[]>;
  /**
   * Adds digests that were computed after the upload, if the file still has that blob and no digest.
   * `updatedAt` stays as it is.
   */
  addDigests(digests: readonly NewDigest[]): Promise<void>;
  /** The number of files and the sum of their sizes. */
  storedTotals(): Promise<{ files: number; bytes: number }>;
  /**
   * Removes records whose bytes are lost, without condemning the blobs, if the file still has that
   * blob. Returns the ids of the removed files.
   */
  dropRecords(blobs: readonly { fileId: string; blobId: BlobId }[]): Promise<string[]>;
}

/** Checks the catalog for contradictions. */
export interface CatalogInspection {
  /**
   * Finds at most `MAX_DEFECTS` of each kind. Each kind is looked for in one statement, so that
   * concurrent changes are not reported. May take long and block this process.
   */
  inspect(): AsyncIterable<CatalogDefect>;
}

export const MAX_DEFECTS = 1000;

export interface CatalogDefect {
  readonly problem: CatalogDefectKind;
  /** Of the file or folder; null if the defect is in the engine's storage. */
  readonly id: string | null;
  readonly detail: string;
}

/**
 * - storage: the engine finds its own data damaged; the other kinds are not looked for then.
 * - root: there is not exactly one root folder, with the empty name and key.
 * - folder-key: a folder's key is not its parent's key plus its name. In any cycle of folders this is
 *   true of at least one, since keys would have to grow along the cycle.
 * - no-parent, no-folder: a folder, or a file, is in a folder that does not exist.
 * - same-name: a file and a folder in one folder have the same name.
 * - condemned: a blob is condemned although a file refers to it.
 */
export type CatalogDefectKind =
  | "storage"
  | "root"
  | "folder-key"
  | "no-parent"
  | "no-folder"
  | "same-name"
  | "condemned";

export interface StoredBlob {
  readonly blobId: BlobId;
  readonly size: number;
  readonly checksum: number;
  readonly sha256: Sha256 | null;
  readonly fileId: string;
}

export interface NewDigest {
  readonly fileId: string;
  readonly blobId: BlobId;
  readonly sha256: Sha256;
}

/** API keys, the administrator's account, and sessions. Callers hash the secrets. */
export interface Credentials extends StoredSettings {
  /** Newest first. */
  apiKeys(): Promise<ListedApiKey[]>;
  /** Includes expired keys: the caller compares `expiresAt`. */
  apiKeyByHash(hash: string): MaybePromise<ApiKeyRecord | undefined>;
  /**
   * Adds a key, limited to its folder and to those that limit its parent. Faults: "conflict": a key
   * with this hash exists; "not_found": the folder does not exist, or is not in the parent's folders;
   * "unauthorized": the parent does not exist any more; "forbidden": the parent's descendants would
   * have too many generations. The caller has compared the other rights with the parent's.
   */
  addApiKey(key: NewApiKeyRecord): Promise<ListedApiKey>;
  /** Fault "not_found": there is no such key, or it does not descend from `ancestorId`. */
  renameApiKey(input: {
    id: string;
    name: string;
    ancestorId?: string | undefined;
  }): Promise<ListedApiKey>;
  /**
   * Removes the key and all its descendants, and returns their ids, the key's first. None if there is
   * no such key, or it does not descend from `ancestorId`.
   */
  removeApiKey(input: { id: string; ancestorId?: string | undefined }): Promise<string[]>;
  /** Records when keys and sessions were last used. Ignores unknown ids. */
  recordUse(use: { apiKeys: readonly Use[]; sessions: readonly Use[] }): Promise<void>;

  accountCount(): Promise<number>;
  accountById(id: string): Promise<AccountRecord | undefined>;
  accountByEmail(email: string): Promise<AccountRecord | undefined>;
  /** Fault "conflict": an account exists (an instance has one administrator). */
  addFirstAccount(account: AccountRecord): Promise<void>;
  /**
   * `ifPasswordHash` is the hash of the password that the caller has verified. Faults: "not_found";
   * "conflict" if another account has this address; "unauthorized" if the password has changed.
   */
  setEmail(input: { accountId: string; email: string; ifPasswordHash?: string }): Promise<void>;
  /**
   * Ends all sessions of the account except `exceptSession` in the same transaction. Faults:
   * "not_found"; "unauthorized" as above, so that a concurrent change of the password is not undone.
   */
  setPassword(input: {
    accountId: string;
    passwordHash: string;
    ifPasswordHash?: string;
    exceptSession?: string;
  }): Promise<void>;

  /** `passwordHash` as `ifPasswordHash` above. Fault "unauthorized": the password has changed. */
  addSession(session: SessionRecord & { hash: string; passwordHash: string }): Promise<void>;
  /** Includes expired sessions. */
  sessionByHash(hash: string): MaybePromise<SessionRecord | undefined>;
  /** Newest first. */
  sessionsOf(accountId: string): Promise<SessionRecord[]>;
  /** Returns false if the account has no such session. */
  removeSession(accountId: string, id: string): Promise<boolean>;
  /** Returns how many sessions it ended. */
  removeOtherSessions(accountId: string, keep: string): Promise<number>;
  removeExpiredSessions(now: Millis): Promise<number>;
}

/** Short texts by name. */
export interface StoredSettings {
  setting(name: string): Promise<string | undefined>;
  /** Those of the names that have a value. */
  settings(names: readonly string[]): Promise<Map<string, string>>;
  /** Sets the value if there is none. Returns the stored one: the first of several concurrent claims wins. */
  claimSetting(name: string, value: string): Promise<string>;
  /** null removes it. */
  putSetting(name: string, value: string | null): Promise<void>;
  /** In one transaction; null removes. */
  putSettings(values: Readonly<Record<string, string | null>>): Promise<void>;
}

/** An API key with the current keys of its folders, in their order. null: the folder was deleted. */
export interface ListedApiKey extends ApiKeyRecord {
  readonly folderKeys: readonly (Key | null)[];
}

/** An API key to be added, with the hash of its secret. */
export interface NewApiKeyRecord extends Omit<ApiKeyRecord, "folderIds"> {
  readonly hash: string;
  /** null: all folders, or those of its parent. */
  readonly folder: { readonly id: string } | { readonly key: Key } | null;
}

export interface Use {
  readonly id: string;
  readonly at: Millis;
}

export interface NewFiles {
  readonly folder: Key;
  readonly files: readonly NewFile[];
  readonly visibility: Visibility;
  /** Of replaced files. Default: each keeps its own. */
  readonly replacedVisibility?: Visibility | undefined;
  /** Default: none for new files; replaced files keep theirs, but for the content coding. */
  readonly metadata?: MetadataText | null | undefined;
  /** Who leases the blocks of the blobs. */
  readonly owner: string;
  /** Default: refuse. */
  readonly onConflict?: OnConflict | undefined;
  readonly within?: Within | undefined;
}

/** Changes of a file or folder, in one transaction. What is left out stays. */
interface Change {
  readonly id: string;
  readonly name?: Name;
  readonly visibility?: Visibility;
  readonly within?: Within | undefined;
}

export interface FileChange extends Change {
  /** The folder to move it to. */
  readonly folderId?: string;
  /** null removes all metadata. */
  readonly metadata?: MetadataPatch | null;
}

export interface FolderChange extends Change {
  /** The folder to move it to. */
  readonly parentId?: string;
}

export interface FileFilter {
  readonly folderId?: string;
  readonly name?: Name;
  readonly sha256?: Sha256;
  readonly within?: Within | undefined;
}

/** A read-only catalog as of one moment. */
export interface Snapshot
  extends Pick<FileTree, "fileById" | "folderByKey" | "listFiles" | "listFolders">,
    Pick<BlobLedger, "blobsAfter" | "knownBlobs"> {
  /** The number of files and the sum of their sizes. */
  total(): Promise<{ files: number; bytes: number }>;
  close(): void;
}

export interface Search<Place> {
  readonly match: NameMatch;
  readonly below: Key;
  /** Where to continue (exclusive). */
  readonly after?: Place | undefined;
  readonly limit: number;
  readonly within?: Within | undefined;
}

/** The file with this name in the folder with this key. */
export interface FilePlace {
  readonly folder: Key;
  readonly name: Name;
}

export interface Measure {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

/** A lease that was not renewed for this long has expired. */
export const LEASE_SECONDS = 30;

/**
 * Prefix of lease owners that are commands: they may run while a server starts, so their leases
 * expire by the clock only.
 */
export const CLI_LEASE_PREFIX = "beside ";

/** The volume of the catalog, if it is on this machine. */
export interface CatalogVolume {
  /**
   * Bytes of the disk reserve that were released because the volume is full, and that the catalog
   * takes back as soon as possible. Nothing else may be stored in them.
   */
  missingReserve(): number;
}

/** The audit log. */
export interface ActivityLog {
  addActivity(events: readonly NewActivity[]): Promise<void>;
  /** Newest first. */
  activity(query: ActivityQuery): Promise<ActivityRecord[]>;
  /** Removes at most `limit` of the oldest entries from before a moment. Returns how many. */
  removeActivity(before: Millis, limit: number): Promise<number>;
}

/** All conditions must hold. */
export interface ActivityQuery {
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** Inclusive. */
  readonly since?: Millis | undefined;
  /** Exclusive. */
  readonly until?: Millis | undefined;
  /** Older than the entry with this id. */
  readonly before?: string | undefined;
  /**
   * Only entries about files and folders that are inside now, also from before they were moved in.
   * Their subject's name is the current key. Default, and if empty: all entries, as recorded.
   */
  readonly within?: Within | undefined;
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
  /** Likewise folders, the root included. */
  countFolders(after: string, limit: number): Promise<{ count: number; last: string | null }>;
  /**
   * Counts the files below a folder by media type, and the folders, in parts like `measure`. Only what
   * is `within` counts.
   */
  countWithin(below: Key, within: Within): Promise<{ types: MediaTypeCount[]; folders: number }>;
}

export interface MediaTypeCount {
  readonly mimeType: string;
  readonly files: number;
  readonly bytes: number;
}

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
   * Until now, oldest first: its creation, if that is after the position, and the moves of all
   * folders.
   */
  readonly moves: readonly FolderStep[];
}

export interface FolderStep {
  /** Of the folder that was moved, or created. */
  readonly id: string;
  readonly key: Key;
  /** null: it was created. */
  readonly fromKey: Key | null;
}

export interface PruneLimits {
  /** Entries from before this moment are removed. */
  readonly before: Millis;
  /** How many entries stay at most. */
  readonly keep: number;
  /** How many are removed at most. */
  readonly limit: number;
}

/** The changes of the tree, which have an actor in the change feed. */
export type TreeChanges = Pick<
  FileTree,
  "addFiles" | "changeFile" | "removeFiles" | "createFolder" | "changeFolder" | "removeFolder"
>;

export interface TreeChangesBy {
  /** Makes changes for an actor. The methods of the catalog itself make them for a command. */
  by(actor: Actor): TreeChanges;
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

export interface Catalog
  extends FileTree,
    BlobLedger,
    Credentials,
    CatalogInspection,
    CatalogVolume,
    ActivityLog,
    TrafficLog,
    ChangeFeed,
    TreeChangesBy,
    StatisticsPort {
  /** Fault "unavailable": the catalog cannot answer. */
  ping(): Promise<void>;
  /** Finishes the changes that were accepted, then releases all resources. */
  close(): Promise<void>;
}
