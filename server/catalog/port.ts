import type { ActivityRecord, NewActivity, Outcome } from "../rules/activity.ts";
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
  Millis,
  Name,
  NewFile,
  Page,
  SessionRecord,
  Visibility,
} from "../rules/records.ts";

/*
 * What the catalog promises, whatever the engine:
 *
 * - Every change is one transaction: all of it or, when it throws, none of it. When its promise
 *   resolves, the change survives a power cut.
 * - A read that starts after a change has resolved sees that change.
 * - Faults: "not_found", "conflict" and "invalid" as said at each method; "no_space" when the
 *   catalog's disk is full, which what frees room is spared as long as possible; "unavailable" when the engine stays busy or cannot be reached.
 * - Absent things are `undefined`, never a fault, unless said otherwise.
 */

/** Files and folders: which names exist and what they stand for. */
export interface Names {
  fileById(id: string): MaybePromise<FileRecord | undefined>;
  fileByKey(key: Key): MaybePromise<FileRecord | undefined>;
  /**
   * Files in batches of at most 1,000, read as they are consumed, so a list of any length takes
   * little memory. Without a filter: every file. Each file that exists throughout and whose order
   * value does not change meanwhile comes exactly once.
   */
  listFiles(filter: FileFilter, page: Page): AsyncIterable<FileRecord[]>;
  folderById(id: string): MaybePromise<FolderRecord | undefined>;
  /** The empty key is the root, which always exists. */
  folderByKey(key: Key): MaybePromise<FolderRecord | undefined>;
  /** Direct subfolders by name, in batches like `listFiles`. */
  listFolders(parentId: string): AsyncIterable<FolderRecord[]>;
  /**
   * At most `limit` folders below one, at any depth, by key. In batches that may be empty: each
   * takes a few milliseconds, and whoever has lost interest stops reading.
   */
  findFolders(search: Search<Key>): AsyncIterable<FolderRecord[]>;
  /** The same of files in the folder and below it, by their folder's key and their name. */
  findFiles(search: Search<FilePlace>): AsyncIterable<FileRecord[]>;
  /** What is below a folder, at any depth; what changes meanwhile may be counted or not. */
  measure(below: Key): Promise<Measure>;
  /** The first of these names that a file or folder in the folder already bears. A missing folder has none. */
  takenName(folder: Key, names: readonly Name[]): Promise<Name | undefined>;

  /**
   * Makes every file visible at once, and creates the folders of `folder` that are missing.
   * conflict: a name is taken and `onConflict` has no way out, a name is given twice, or a folder
   * of the path is a file.
   * unavailable: `owner` no longer holds the lease of a blob's block.
   * The records of those that were stored come in the order given. Of a file that is replaced the
   * content changes, so `modifiedAt` does; its old blob is condemned.
   */
  addFiles(input: NewFiles): Promise<FileRecord[]>;
  /**
   * A new name may change the media type with its extension. The name and folder that the file
   * already has are no conflict. not_found: the file, or the folder to move to; conflict; invalid:
   * the key would become too long.
   */
  changeFile(input: FileChange): Promise<FileRecord>;
  /**
   * Removes the records and condemns their blobs. Ids that name nothing are left out of the
   * result, which follows the order given.
   */
  removeFiles(ids: readonly string[]): Promise<{ id: string; blobId: BlobId }[]>;

  /** Creates a folder and whatever leads to it. conflict: it exists, or a file is in the way. */
  createFolder(key: Key): Promise<FolderRecord>;
  /**
   * Renames and moves, and sets the visibility of every file inside at any depth. not_found: the
   * folder, or the one to move to; conflict; invalid: the root can be neither renamed nor moved,
   * no folder can be moved to below itself, or a key inside would become too long.
   */
  changeFolder(input: FolderChange): Promise<FolderRecord>;
  /**
   * With everything inside, which is gone for everybody at once. It takes a time that grows with
   * the number of the folders inside and not of the files: the blobs are condemned later, by
   * `emptyRemovedFolders`. missing; invalid: the root.
   */
  removeFolder(id: string): Promise<void>;
}

/**
 * Which blobs are somebody's. A process leases blocks of 256 blob ids; a blob of a leased block
 * that no file refers to may still be on its way. Once the lease has lapsed it is left over.
 */
export interface BlobLedger {
  /** A block number that was never used before, leased to `owner`. */
  leaseBlock(owner: string): Promise<number>;
  /** Keeps the owner's leases of these blocks alive. Those of which it knows nothing lapse. */
  renewLeases(owner: string, blocks: readonly number[]): Promise<void>;
  /**
   * Blocks whose owner has not been heard of for `LEASE_SECONDS` of the catalog's clock, or ever
   * since the last start of an exclusive catalog, unless the owner is a command that `CLI_LEASE_PREFIX`
   * tells. They are taken from their owner: its next addFiles fails.
   */
  releaseExpiredLeases(): Promise<number[]>;
  /** The blobs of a block that a file refers to, or did until its folder was removed, or that are condemned. */
  knownBlobs(block: number): Promise<BlobId[]>;
  /**
   * How it stands with the block. "none" is for good: a block is leased once. "expired" may become
   * "active" again until `releaseExpiredLeases` takes the lease, which is "released" from then until the block
   * has been swept and closed.
   */
  leaseState(block: number): Promise<"active" | "expired" | "released" | "none">;
  /**
   * Takes the lease from its owner. Once this resolves, every addFiles with blobs of the block has
   * come to its end, answered or not, and no other will succeed.
   */
  releaseLease(block: number): Promise<void>;
  /** The same with all leases of an owner whose process is known to have ended. */
  releaseLeasesOf(owner: string): Promise<void>;
  /** Ends the lease. Ending one that is not there is not an error. */
  endLease(block: number): Promise<void>;
  /**
   * Goes on with emptying removed folders: condemns the blobs of at most `limit` files. false: there
   * is nothing left to do. To be called until then, after every removal and after a crash.
   */
  emptyRemovedFolders(limit: number): Promise<boolean>;
  /** Blobs whose record is gone and whose bytes have yet to go, unless `hasBackupHold`, oldest first. */
  condemnedBlobs(limit: number): Promise<BlobId[]>;
  /** Their bytes are gone for good: forget them. */
  forgetCondemnedBlobs(ids: readonly BlobId[]): Promise<void>;

  /**
   * Holds the bytes of every file that is there, for somebody who copies them: once this resolves,
   * what is deleted keeps its bytes until the hold ends or lapses, as a lease does. The start of a
   * server leaves holds alone. Taking one's hold again keeps it.
   */
  startBackupHold(owner: string): Promise<void>;
  /** Keeps the hold alive. false: it had lapsed or was never taken, so that bytes may have gone. */
  renewBackupHold(owner: string): Promise<boolean>;
  /** Ending one that is not there is not an error. */
  endBackupHold(owner: string): Promise<void>;
  /**
   * Whether anybody holds the bytes of deleted files. Whoever removes bytes asks this after their
   * blobs were condemned: a hold that is taken later is not about them.
   */
  hasBackupHold(): Promise<boolean>;

  /** Blobs that files refer to, ascending from `after` (exclusive), for checking the store. */
  blobsAfter(after: number, limit: number): Promise<StoredBlob[]>;
  /** How many files there are, and the sum of their sizes. */
  storedTotals(): Promise<{ files: number; bytes: number }>;
  /**
   * Takes records of lost bytes out without condemning their blobs, as far as the file still has
   * that blob. Returns the ids of the files that are gone by it.
   */
  dropRecords(blobs: readonly { fileId: string; blobId: BlobId }[]): Promise<string[]>;
}

/** A look at whether the catalog agrees with itself. */
export interface CatalogInspection {
  /**
   * What is wrong, each problem at a moment of its own, so that changes meanwhile are never taken
   * for one. At most `MAX_DEFECTS` of each problem. May take long, and hold up this process.
   */
  inspect(): AsyncIterable<CatalogDefect>;
}

export const MAX_DEFECTS = 1000;

export interface CatalogDefect {
  readonly problem: CatalogDefectKind;
  /** Of the file or folder; null when the problem is the engine's. */
  readonly id: string | null;
  readonly detail: string;
}

/**
 * - storage: the engine finds its own data damaged; nothing else is looked for then.
 * - root: there is not exactly one root folder, with the empty name and key.
 * - folder-key: a folder's key is not its parent's key and its name. Around any ring of folders at
 *   least one is, since keys along it would have to grow without end.
 * - no-parent, no-folder: a folder, or a file, is in a folder that does not exist.
 * - same-name: a file and a folder in one folder have the same name.
 * - condemned: a blob is to be removed although a file refers to it.
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
  readonly fileId: string;
}

/** Who may come in. Secrets are hashed before they get here. */
export interface Credentials extends StoredSettings {
  apiKeys(): Promise<ApiKeyRecord[]>;
  /** Expired keys are found too: the caller compares `expiresAt`. */
  apiKeyByHash(hash: string): MaybePromise<ApiKeyRecord | undefined>;
  /** conflict: a key with this hash exists. */
  addApiKey(key: ApiKeyRecord & { hash: string }): Promise<void>;
  /** missing. */
  renameApiKey(id: string, name: string): Promise<ApiKeyRecord>;
  /** false: there was none. */
  removeApiKey(id: string): Promise<boolean>;
  /** Notes when keys and sessions were last used. Ids that are gone are passed over. */
  recordUse(use: { apiKeys: readonly Use[]; sessions: readonly Use[] }): Promise<void>;

  accountCount(): Promise<number>;
  accountById(id: string): Promise<AccountRecord | undefined>;
  accountByEmail(email: string): Promise<AccountRecord | undefined>;
  /** conflict: an account exists already (an instance has one administrator). */
  addFirstAccount(account: AccountRecord): Promise<void>;
  /**
   * For who knew the password of which `ifPasswordHash` is kept. missing; conflict: another account
   * has this address; unauthorized: the account has another password by now.
   */
  setEmail(input: { accountId: string; email: string; ifPasswordHash?: string }): Promise<void>;
  /**
   * Ends every session of the account but `exceptSession`, in the same transaction. missing;
   * unauthorized, as above: who is just changing the password must not undo that somebody else did.
   */
  setPassword(input: {
    accountId: string;
    passwordHash: string;
    ifPasswordHash?: string;
    exceptSession?: string;
  }): Promise<void>;

  /**
   * Starts a session, for who knew the password of which `passwordHash` is kept. unauthorized: the
   * account has another password by now.
   */
  addSession(session: SessionRecord & { hash: string; passwordHash: string }): Promise<void>;
  /** Expired sessions are found too. */
  sessionByHash(hash: string): MaybePromise<SessionRecord | undefined>;
  /** Newest first. */
  sessionsOf(accountId: string): Promise<SessionRecord[]>;
  /** false: the account has no such session. */
  removeSession(accountId: string, id: string): Promise<boolean>;
  /** Returns how many ended. */
  removeOtherSessions(accountId: string, keep: string): Promise<number>;
  removeExpiredSessions(now: Millis): Promise<number>;
}

/** Short texts under names. */
export interface StoredSettings {
  setting(name: string): Promise<string | undefined>;
  /** Those of the names that are there. */
  settings(names: readonly string[]): Promise<Map<string, string>>;
  /** Sets it where it has no value. Returns the one that it has, which is the first's of several. */
  claimSetting(name: string, value: string): Promise<string>;
  /** null removes it. */
  putSetting(name: string, value: string | null): Promise<void>;
  /** All together; null removes. */
  putSettings(values: Readonly<Record<string, string | null>>): Promise<void>;
}

export interface Use {
  readonly id: string;
  readonly at: Millis;
}

export interface NewFiles {
  readonly folder: Key;
  readonly files: readonly NewFile[];
  readonly visibility: Visibility;
  /** Of files that are replaced. Default: each keeps its own. */
  readonly replacedVisibility?: Visibility | undefined;
  readonly owner: string;
  /** Default: refuse. */
  readonly onConflict?: OnConflict | undefined;
}

/** What is changed of a file or folder, in one transaction. What is left out stays. */
interface Change {
  readonly id: string;
  readonly name?: Name;
  readonly visibility?: Visibility;
}

export interface FileChange extends Change {
  /** The folder to move it to. */
  readonly folderId?: string;
}

export interface FolderChange extends Change {
  /** The folder to move it to. */
  readonly parentId?: string;
}

export interface FileFilter {
  readonly folderId?: string;
  readonly name?: Name;
}

/** A catalog as of one moment, for reading only. */
export interface Snapshot
  extends Pick<Names, "fileById" | "folderByKey" | "listFiles" | "listFolders">,
    Pick<BlobLedger, "blobsAfter" | "knownBlobs"> {
  /** How many files there are, and their bytes together. */
  total(): Promise<{ files: number; bytes: number }>;
  close(): void;
}

/** What a search in a folder looks for; with `after` from there on. */
export interface Search<Place> {
  readonly match: NameMatch;
  readonly below: Key;
  readonly after?: Place | undefined;
  readonly limit: number;
}

/** After the file of this name in the folder of this key. */
export interface FilePlace {
  readonly folder: Key;
  readonly name: Name;
}

export interface Measure {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

/** A lease lapses when its owner has not been heard of for this long. */
export const LEASE_SECONDS = 30;

/**
 * What the names of owners begin with that are commands beside a server: its start finds them at
 * work, so their leases lapse by the clock alone.
 */
export const CLI_LEASE_PREFIX = "beside ";

/** The volume that the catalog lies on, if it is this machine's. */
export interface Volume {
  /**
   * Bytes that the catalog had set aside, has given up since the volume is full, and takes back as
   * soon as it can. Nothing else may be stored in them.
   */
  missingReserve(): number;
}

/** What was done, by whom. */
export interface ActivityLog {
  addActivity(events: readonly NewActivity[]): Promise<void>;
  /** Newest first. */
  activity(wanted: ActivityQuery): Promise<ActivityRecord[]>;
  /** Removes at most so many of the oldest that happened before a moment. Returns how many. */
  removeActivity(before: Millis, limit: number): Promise<number>;
}

/** Each part narrows it down. */
export interface ActivityQuery {
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** At this moment or later. */
  readonly since?: Millis | undefined;
  /** Earlier than this moment. */
  readonly until?: Millis | undefined;
  /** Older than the one with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** How much there is, a part at a time, so that nobody has to wait for the whole. */
export interface StatisticsPort {
  /** What the next files by id come to, by media type, from after this id. `last`: where to go on; null: there are no more. */
  countFiles(
    after: string,
    limit: number,
  ): Promise<{ types: MediaTypeCount[]; last: string | null }>;
  /** The same of folders, the root included. */
  countFolders(after: string, limit: number): Promise<{ count: number; last: string | null }>;
}

export interface MediaTypeCount {
  readonly mimeType: string;
  readonly files: number;
  readonly bytes: number;
}

/** How much was served, by the hour. */
export interface TrafficLog {
  /** Adds to what is known of these hours. */
  addTraffic(hours: readonly HourlyTraffic[]): Promise<void>;
  /** Of the hours that began at a moment or later, oldest first; without those of no traffic. */
  traffic(since: Millis): Promise<HourlyTraffic[]>;
  /** Forgets the hours that began before. */
  removeTraffic(before: Millis): Promise<void>;
}

export interface Catalog
  extends Names,
    BlobLedger,
    Credentials,
    CatalogInspection,
    Volume,
    ActivityLog,
    TrafficLog,
    StatisticsPort {
  /** Throws "unavailable" when the catalog cannot answer. */
  ping(): Promise<void>;
  /** Finishes the changes that were accepted, then lets go of everything. */
  close(): Promise<void>;
}
