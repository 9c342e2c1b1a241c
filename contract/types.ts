/** The JSON objects of the API, as plain types without dependencies. */

import type { Action } from "./activity.ts";
import type { KeyAction } from "./key-actions.ts";

export type Visibility = "public" | "private";

export interface FileObject {
  id: string;
  name: string;
  key: string;
  mimeType: string;
  size: number;
  folderId: string;
  visibility: Visibility;
  url: string;
  createdAt: string;
  updatedAt: string;
}

export interface FileDigest {
  id: string;
  key: string;
  size: number;
  /** Lower-case hexadecimal; null: not computed yet. */
  sha256: string | null;
}

/** Sent as response headers with the file; the pairs as `X-Meta-…`, those of S3 as they are. */
export interface FileMetadata {
  cacheControl?: string;
  contentDisposition?: string;
  contentLanguage?: string;
  contentEncoding?: string;
  expires?: string;
  [pair: `x-${string}`]: string;
}

export interface FileMetadataResult {
  id: string;
  key: string;
  metadata: FileMetadata;
}

/** What is left out stays; null removes a field. */
export type MetadataChange = { [Field in keyof FileMetadata]?: FileMetadata[Field] | null };

/** A resumable upload. */
export interface UploadObject {
  id: string;
  /** Relative to the base URL. Anyone who has it may use the upload. Only known when it is created. */
  url: string;
  /** Where the file will be; in a batch: relative to the folder of the batch. */
  folder: string;
  /** null: the sender names the file. */
  name: string | null;
  /** In bytes; null: not known yet. */
  size: number | null;
  /** The bytes that are stored. */
  offset: number;
  /** In bytes. */
  maxSize: number;
  /** The allowed media types; empty: all. */
  types: string[];
  /** null: the default. */
  visibility: Visibility | null;
  expiresAt: string;
}

/** An open upload of a batch. */
export type BatchUpload = Pick<UploadObject, "id" | "folder" | "name" | "size" | "offset">;

/** Files that appear together. */
export interface BatchObject {
  id: string;
  state: "open" | "committed";
  folder: string;
  /** null: the default. */
  visibility: Visibility | null;
  onConflict: "refuse" | "replace" | "keepBoth" | "skip";
  /** The complete files. */
  files: number;
  /** The sum of their sizes. */
  bytes: number;
  /** null: not committed yet. */
  result: BatchResult | null;
  createdAt: string;
  expiresAt: string;
}

/** All numbers together are the files of the batch. */
export interface BatchResult {
  added: number;
  replaced: number;
  skipped: number;
  committedAt: string;
}

/** A complete file of a batch. */
export interface BatchMember {
  /** Relative to the folder of the batch. */
  folder: string;
  name: string;
  size: number;
  mimeType: string;
  /** Lower-case hexadecimal. */
  sha256: string | null;
}

export interface FolderObject {
  id: string;
  name: string;
  key: string;
  parentId: string | null;
  createdAt: string;
  updatedAt: string;
}

/** What uploads to a folder get if they name no visibility. */
export interface FolderVisibility {
  id: string;
  key: string;
  /** null: inherited. */
  defaultVisibility: Visibility | null;
  /** The folder's own, else that of the nearest folder above with one, else the setting. */
  effectiveVisibility: Visibility;
  /**
   * The folder above with that default. null: the folder has its own, or it comes from the setting, or from
   * a folder that the caller may not see.
   */
  inheritedFrom: { id: string; key: string } | null;
}

/** A folder with a default of its own. */
export interface FolderDefault {
  id: string;
  key: string;
  defaultVisibility: Visibility;
}

export interface VisibilityCounts {
  files: { public: number; private: number };
  /** Subfolders with a default of their own. */
  folders: { public: number; private: number };
}

export interface SignedUrl {
  url: string;
  expiresAt: string;
}

/** A link that shows a file or folder to anyone who has its URL, or lets them send files. */
export interface LinkObject {
  id: string;
  /**
   * `s/` and a secret, relative to the base URL. null: `AUTH_SECRET` has changed since, so the URL is not
   * known any more; it still works.
   */
  url: string | null;
  /** read: visitors see it; drop: visitors send files into the folder, and see nothing. */
  kind: "read" | "drop";
  /** Shown to visitors; null: the name of the file or folder. */
  title: string | null;
  /** `key` and `name` are null while it is in the trash, and once it is deleted. */
  subject: { kind: "file" | "folder"; id: string; key: string | null; name: string | null };
  hasPassword: boolean;
  expiresAt: string | null;
  /** Visits that are left; null: any number. */
  usesLeft: number | null;
  /** Visits until now. */
  visits: number;
  /** Whether visitors see no previews. */
  downloadOnly: boolean;
  /** Of a drop link: bytes of each set of files that a visitor sends; null: any number. */
  maxBytes: number | null;
  /** Likewise files. */
  maxFiles: number | null;
  /**
   * unavailable: the file or folder is not there, or the key or account that made the link may not
   * share it any more.
   */
  state: "active" | "expired" | "used_up" | "revoked" | "unavailable";
  createdAt: string;
  revokedAt: string | null;
  /** The key or account that made it. */
  createdBy: ActivityObject["actor"];
}

/** What a link may have. */
export interface LinkOptions {
  title?: string | null;
  password?: string | null;
  /** `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. */
  expiresAt?: string | null;
  /** In seconds, instead of `expiresAt`. */
  expiresIn?: number;
  /** Visits from now on. */
  uses?: number | null;
  downloadOnly?: boolean;
  maxBytes?: number | null;
  maxFiles?: number | null;
}

export type NewLink = LinkOptions & { kind?: LinkObject["kind"] } & (
    | { fileId: string }
    | { folderId: string }
  );

export interface LinkParameters {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  fileId?: string;
  folderId?: string;
  includeRevoked?: boolean;
}

export interface LinkPage {
  /** Newest first. */
  links: LinkObject[];
  /** null on the last page. */
  nextCursor: string | null;
}

export interface DeleteResult {
  deleted: string[];
  failed: { id: string; message: string }[];
  /** Restores all deleted files at once; only if they are in the trash. */
  undoId?: string | undefined;
}

/** Of a change of several files. Both lists are in the order of the request. */
export interface FilesChanged {
  files: FileObject[];
  failed: ChangeFailure[];
  /** Restores the files that were replaced; only if they are in the trash. */
  undoId?: string | undefined;
}

/** Why a file was not changed. */
export interface ChangeFailure {
  id: string;
  message: string;
  /** What has the name in the target folder, if that is why. */
  takenBy?: "file" | "folder" | undefined;
}

/** A file or folder in the trash. Its id is the one it had, and has again after a restore. */
export interface TrashItem {
  id: string;
  kind: "file" | "folder";
  name: string;
  /** Where it was, with the current names of folders that were renamed or moved since. */
  key: string;
  /** In bytes; of a folder, all files inside. null: not counted. */
  size: number | null;
  /** The files in a folder. null for a file, and if they are not counted. */
  files: number | null;
  /** null for a folder. */
  visibility: Visibility | null;
  /** null for a folder. */
  mimeType: string | null;
  /** All items of one deletion have the same. */
  undoId: string;
  deletedAt: string;
  /** The name of the API key or account. null: unknown, or hidden from the caller. */
  deletedBy: string | null;
  /** From when on it may be deleted for good. */
  expiresAt: string;
}

export interface TrashTotals {
  items: number;
  /** Including those in folders. */
  files: number;
  bytes: number;
}

export interface TrashPage {
  /** Latest deletion first. */
  items: TrashItem[];
  /** Of the whole trash, or of the given deletion. */
  totals: TrashTotals;
  /** null on the last page. */
  nextCursor: string | null;
}

export interface RestoredItem {
  id: string;
  kind: "file" | "folder";
  /** Where it is now. */
  key: string;
  /** Its name was taken, so that it got another. */
  renamed: boolean;
}

export interface RestoreResult {
  restored: RestoredItem[];
  failed: { id: string; reason: string }[];
}

/** Content that a file had before. */
export interface FileVersion {
  id: string;
  size: number;
  mimeType: string;
  /** Lower-case hexadecimal; null: not computed yet. */
  sha256: string | null;
  /** When the content was stored. */
  modifiedAt: string;
  replacedAt: string;
  /** The name of the API key or account. null: unknown, or hidden from the caller. */
  replacedBy: string | null;
  /** From when on it may be deleted for good. */
  expiresAt: string;
}

export interface VersionPage {
  /** Latest first. */
  versions: FileVersion[];
  /** null on the last page. */
  nextCursor: string | null;
}

export interface FolderSize {
  files: number;
  folders: number;
  bytes: number;
}

export interface SearchPage {
  files: FileObject[];
  folders: FolderObject[];
  /** null on the last page. */
  nextCursor: string | null;
}

export interface ApiKeyObject {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  actions: KeyAction[];
  /** null: all folders. Its `key` is null if the folder was deleted; the key then reaches nothing. */
  folder: { id: string; key: string | null } | null;
  /** The API key that created it, and that ends it when it is revoked; null: none. */
  parentId: string | null;
  /** Until when the secret from before the last rotation works, too; null: it does not. */
  oldSecretExpiresAt: string | null;
}

/** What an S3 client needs to act as an API key. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface AccountObject {
  id: string;
  email: string;
  createdAt: string;
}

/** Two-step sign-in of an account. */
export interface SecondFactorObject {
  /** null: it is off. */
  enabledAt: string | null;
  /** The number that is left. */
  recoveryCodes: number;
}

export interface SessionObject {
  id: string;
  /** True for the caller's session. */
  current: boolean;
  userAgent: string;
  address: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
}

export type OrderBy = "createdAt" | "updatedAt" | "name" | "size" | "type";
export type OrderDirection = "ASC" | "DESC";

/** An entry in the audit log. */
export interface ActivityObject {
  id: string;
  at: string;
  /** The id of an operation of the API, such as `uploadFiles`, or of a command-line action. */
  action: Action;
  outcome: "done" | "failed";
  /** HTTP status of the response. */
  status: number;
  actor: {
    /** link: somebody who uses a link. */
    kind: "key" | "account" | "link" | "none" | "command";
    id: string | null;
    /** At the time of the request. */
    name: string | null;
  };
  /** null for the command line and for entries that cover several clients. */
  address: string | null;
  subject: {
    kind: "file" | "folder" | "key" | "account" | "session" | "link";
    id: string | null;
    /** Key of the file or folder before the request. */
    key: string | null;
    /** Name of the API key, email address of the account, or title of the link. */
    name: string | null;
  } | null;
  /** The requested changes, counts and sizes, and the `message` of a failure. */
  detail: Record<string, string | number | boolean | null>;
}

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
  /** Of the file or folder. */
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

export interface ActivityParameters {
  limit?: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string;
  action?: Action;
  /** The id of an API key or an account. */
  actor?: string;
  /** The id of what the entries are about. */
  subject?: string;
  outcome?: "done" | "failed";
  /** Inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. */
  since?: string;
  /** Exclusive. */
  until?: string;
}

export type MediaKind = "image" | "video" | "audio" | "document" | "text" | "archive" | "other";

export interface OverviewObject {
  /** `used` and `free` in bytes; `free` is null if unknown. */
  storage: {
    used: number;
    free: number | null;
    files: number;
    folders: number;
    /** Bytes in the trash. */
    trash: number;
    /** Bytes of replaced content. null: the API key is limited to a folder. */
    versions: number | null;
  };
  /** Every type, including types without files. */
  types: { type: MediaKind; files: number; bytes: number }[];
  largest: FileObject[];
  newest: FileObject[];
  /** By hour, or by day for a month, from the oldest to now. */
  traffic: { at: string; requests: number; bytes: number; errors: number }[];
}

export type Period = "day" | "week" | "month";

/** A setting and its source. */
export interface Setting<Value> {
  value: Value;
  default: Value;
  /** The environment sets the value, so it cannot be changed through the API. */
  pinned: boolean;
  /** The environment variable that overrides the setting. */
  variable: string;
  unit: "bytes" | "seconds" | "days" | "files" | "ids" | "pixels" | "percent" | null;
}

export interface SettingsObject {
  defaultVisibility: Setting<Visibility>;
  maxUploadSize: Setting<number>;
  maxFilesPerRequest: Setting<number>;
  maxDeleteBatch: Setting<number>;
  minFreeSpace: Setting<number>;
  maxPresignSeconds: Setting<number>;
  defaultPresignSeconds: Setting<number>;
  hostingCacheSeconds: Setting<number>;
  activityRetentionDays: Setting<number>;
  trashDays: Setting<number>;
  smallImageSize: Setting<number>;
  mediumImageSize: Setting<number>;
  largeImageSize: Setting<number>;
  imageQuality: Setting<number>;
  trashDeletions: Setting<boolean>;
  keepVersions: Setting<boolean>;
}

/** null restores the default. */
export type SettingsChange = {
  [Name in keyof SettingsObject]?: SettingsObject[Name]["value"] | null;
};

export interface ListParameters {
  limit?: number;
  offset?: number;
  orderBy?: OrderBy;
  orderDirection?: OrderDirection;
}

export type Envelope<Data> =
  | { data: Data; error: null }
  | { data: null; error: { message: string } };

/** Requests that an API key has authenticated. */
export interface KeyTrafficObject {
  readonly id: string;
  readonly name: string;
  readonly requests: number;
  /** Bytes of file content in the responses. */
  readonly bytes: number;
  /** Responses with a status of 400 or above. */
  readonly errors: number;
}
