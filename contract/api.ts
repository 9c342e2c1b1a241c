/* Written by `npm run generate` from the schemas of the operations. Without Zod, for clients. */

export interface AccountObject {
  id: string;
  email: string;
  /** `owner`: everything; `member`: what its grants allow. */
  role: "owner" | "member";
  /** False: the account signs in only with a passkey, or through a provider. */
  hasPassword: boolean;
  createdAt: Timestamp;
}

export type Action = "uploadFiles" | "putContent" | "createUpload" | "fetchFiles" | "createBatch" | "changeFile" | "copyFiles" | "deleteFiles" | "undoChanges" | "signFile" | "createLink" | "changeLink" | "revokeLink" | "receiveFiles" | "download" | "createFolder" | "setQuota" | "changeFolder" | "copyFolder" | "signFolder" | "deleteFolder" | "restoreTrash" | "emptyTrash" | "restoreVersion" | "deleteVersions" | "createKey" | "renameKey" | "rotateKey" | "revokeKey" | "revealS3Credentials" | "createWebhook" | "changeWebhook" | "rotateWebhook" | "replayWebhook" | "deleteWebhook" | "setup" | "signIn" | "signOut" | "endSessions" | "changeEmail" | "changePassword" | "enableSecondFactor" | "disableSecondFactor" | "renewRecoveryCodes" | "signInWithPasskey" | "signInWithOidc" | "connectIdentity" | "disconnectIdentity" | "preparePasskey" | "addPasskey" | "renamePasskey" | "removePasskey" | "createAccount" | "changeAccount" | "removeAccount" | "resetAccount" | "createGrant" | "changeGrant" | "removeGrant" | "createInvite" | "removeInvite" | "acceptInvite" | "clearActivity" | "startScrub" | "changeSettings" | "putLogo" | "removeLogo" | "resetPassword";

export interface ActivityObject {
  id: string;
  at: Timestamp;
  /** The id of an operation of this API, or of a command-line action. */
  action: Action;
  outcome: "done" | "failed";
  /** HTTP status of the response. */
  status: number;
  /**
   * Who made the request. `link`: a visitor of a link. `none`: an unauthenticated client.
   * `command`: the command line on the server.
   */
  actor: Actor;
  /**
   * The client's IP address; `null` for the command line, or if the entry covers several clients.
   */
  address: string | null;
  /** The object of the request. */
  subject: {
    kind: "file" | "folder" | "key" | "account" | "session" | "link" | "webhook";
    id: string | null;
    /** Key of the file or folder before the request. */
    key: string | null;
    /** Name of the API key, email address of the account, or title of the link. */
    name: string | null;
  } | null;
  /**
   * The requested changes, counts and sizes, and the `code` and `message` of a failure (of the S3
   * API, S3's code). `times`: the number of identical requests within a second, or within ten
   * minutes for failures of unauthenticated clients without an address.
   */
  detail: Record<string, string | number | boolean | null>;
}

export interface Actor {
  kind: "key" | "account" | "link" | "none" | "command" | "expiry";
  /** Id of the API key, the account or the link. */
  id: string | null;
  /** Name at the time of the request. */
  name: string | null;
}

export interface ApiKeyObject {
  id: string;
  /** A label that identifies the key in lists. */
  name: string;
  /** The first characters of the key. */
  prefix: string;
  createdAt: Timestamp;
  /** `null` if the key has not been used. */
  lastUsedAt: Timestamp | null;
  /** `null` if the key does not expire. */
  expiresAt: Timestamp | null;
  /** What the key may do. */
  actions: KeyAction[];
  /** The folder that the key is limited to; `null` if it is not limited. */
  folder: {
    id: string;
    /** The folder's current key; `null` if it was deleted, so that the key reaches nothing. */
    key: string | null;
  } | null;
  /**
   * The API key that created it. Revoking that key revokes this one too. `null` if there is none.
   */
  parentId: string | null;
  /**
   * The account that made it, or that made the key that it descends from: the key may do no more
   * than that account. `null` if there is none.
   */
  accountId: string | null;
  /** Until when the secret from before the last rotation works, too. `null` if it does not. */
  oldSecretExpiresAt: Timestamp | null;
}

export interface BatchMember {
  /** Relative to the folder of the batch. */
  folder: string;
  name: string;
  /** In bytes. */
  size: number;
  mimeType: string;
  /** SHA-256 of the content, in lower-case hexadecimal digits. */
  sha256: string | null;
}

export interface BatchObject {
  /** Identifier of the batch. */
  id: string;
  state: "open" | "committed";
  /** Key of the folder. */
  folder: string;
  /** `null`: the default. */
  visibility: Visibility | null;
  /** What happens to files whose names are taken in the folder. */
  onConflict: "refuse" | "replace" | "keepBoth" | "skip";
  /** The number of complete files. */
  files: number;
  /** The sum of their sizes. */
  bytes: number;
  /** `null`: the batch is not committed. */
  result: BatchResult | null;
  createdAt: Timestamp;
  /** UTC. When the batch is removed, unless more arrives before. */
  expiresAt: Timestamp;
}

export interface BatchResult {
  added: number;
  replaced: number;
  skipped: number;
  committedAt: Timestamp;
}

export interface BatchUpload {
  /** Identifier of the upload. */
  id: string;
  /** Key of the folder; in a batch, relative to the folder of the batch. */
  folder: string;
  /** Name of the file. `null`: the sender names it. */
  name: string | null;
  /** In bytes. `null`: not known yet. */
  size: number | null;
  /** The number of bytes that are stored and survive a power cut. */
  offset: number;
}

export interface BooleanSettingObject {
  /** The current value. */
  value: boolean;
  default: boolean;
  /** True if the environment sets the value, so that it cannot be changed here. */
  pinned: boolean;
  /** The environment variable that overrides the setting. */
  variable: string;
  /** Unit of the value. */
  unit: "bytes" | "seconds" | "days" | "files" | "ids" | "pixels" | "percent" | null;
}

export interface ChangeFailure {
  id?: string | undefined;
  key?: string | undefined;
  code?: "invalid_request" | "sign_in_expired" | "unknown_field" | "trash_disabled" | "invalid_lifetime" | "digest_mismatch" | "space_required" | "unauthorized" | "wrong_credentials" | "invalid_token" | "provider_refused" | "forbidden" | "code_required" | "account_disabled" | "no_grant" | "unknown_space" | "second_factor_required" | "not_admitted" | "password_sign_in_off" | "not_found" | "method_not_allowed" | "too_slow" | "conflict" | "last_owner" | "name_taken" | "request_running" | "email_taken" | "identity_taken" | "wrong_offset" | "gone" | "precondition_failed" | "unsupported_version" | "too_large" | "too_many" | "unsupported_media_type" | "range_not_satisfiable" | "unprocessable" | "idempotency_key_reused" | "locked" | "rate_limited" | "checksum_mismatch" | "unexpected" | "unavailable" | "provider_unavailable" | "no_space" | "quota_exceeded" | undefined;
  message: string;
  /** What has the name in the target folder, if that is why. */
  takenBy?: "file" | "folder" | undefined;
}

export type ChangeKind = "file.created" | "file.replaced" | "file.updated" | "file.moved" | "file.deleted" | "file.restored" | "folder.created" | "folder.updated" | "folder.moved" | "folder.deleted" | "folder.restored";

export interface ChangeObject {
  /** The position after this change, for `since`. */
  cursor: string;
  /**
   * `replaced`: new content. `updated`: other properties; of a folder, the visibility of the files
   * inside. `moved`: renamed or moved. A moved or deleted folder takes everything inside with it.
   * `restored`: back from the trash; of a folder, with everything that was inside.
   */
  kind: ChangeKind;
  at: Timestamp;
  /**
   * Who made the change. `id` and `name` are `null` for the command line. API keys without `admin`,
   * or limited to a folder, see only their own.
   */
  actor: Actor;
  /** Id of the file or folder. */
  id: string;
  /** Key after the change; of something deleted, before it. */
  key: string;
  /** Key before the change, if it was moved or renamed. */
  fromKey: string | null;
  /** The file after the change. `null` for folders and deleted files. */
  file: FileObject | null;
  /**
   * The folder after the change. `null` for files, for deleted folders, and if only the key or the
   * content of the folder changed.
   */
  folder: FolderObject | null;
  /**
   * All files in the folder, at any depth, have this visibility from then on; those that had
   * another one also have `updatedAt` = `at`. `null`: they keep theirs.
   */
  visibility: Visibility | null;
  /**
   * True if the folder was moved into view or restored with its content, which has no entries of
   * its own: list the folder.
   */
  hasContent: boolean;
}

export interface DeleteResult {
  /** The ids of the deleted files. */
  deleted: string[];
  /** The ids or keys that could not be deleted, and why. */
  failed: NotDone[];
  /** Identifier of the deletion, for `POST /api/trash/restore`. Only if it moved to the trash. */
  undoId?: string | undefined;
}

export interface DeliveryObject {
  id: string;
  /** The `webhook-id` of all attempts to deliver the event. */
  eventId: string;
  /** The type of the event. */
  kind: string;
  /** The key of the file or folder. */
  key: string | null;
  state: "queued" | "failed" | "delivered";
  attempts: number;
  /** Status of the last response; `null` if there was none. */
  status: number | null;
  /** How long the last attempt took. */
  milliseconds: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  /** The first 1 KB of the last response's body. Only for sessions; API keys get `null`. */
  response: string | null;
  /** Time of the last attempt. */
  at: Timestamp;
}

export interface DryRun {
  /** The number of changes. */
  total: number;
  /** The files that they are about, also those inside of folders. */
  files: number;
  /** The total size of these files. */
  bytes: number;
  /** The size of what would be deleted permanently, also of versions. */
  freedBytes: number;
  /** The first 1,000 changes. What is in a folder is not listed. */
  changes: {
    /**
     * As in `GET /api/changes`. `file.deleted` is also what goes to the trash, and what is replaced
     * by a move.
     */
    type: string;
    id: string;
    key: string;
    /** The key before it is moved or restored. */
    fromKey: string | null;
  }[];
  /**
   * An undo lists the first 1,000 files and folders here that it leaves as they are, or gives
   * another name. `key`: where they are, or were when they were deleted; `null`: they are gone.
   */
  conflicts: {
    id: string;
    kind: "file" | "folder";
    key: string | null;
    reason: string;
  }[];
  /**
   * The first 1,000 working links whose file or folder would be deleted. `key`: of that file or
   * folder.
   */
  links: {
    id: string;
    title: string | null;
    key: string;
  }[];
}

export type FetchState = "waiting" | "running" | "done" | "failed";

export interface FileDigest {
  /** Identifier of the file. */
  id: string;
  /** Key of the file. */
  key: string;
  /** In bytes. */
  size: number;
  /**
   * SHA-256 of the content, in 64 lower-case hexadecimal digits. `null`: the file was stored by a
   * version without digests, and the scrub has not read it yet.
   */
  sha256: string | null;
  /** A strong validator of the content, for conditions. */
  etag: string;
}

export interface FileLifetime {
  /** Identifier of the file. */
  id: string;
  /** Key of the file. */
  key: string;
  /** UTC. When the file ends. `null`: never. */
  expiresAt: Timestamp | null;
}

export interface FileMetadata {
  cacheControl?: string | undefined;
  contentDisposition?: string | undefined;
  contentLanguage?: string | undefined;
  contentEncoding?: string | undefined;
  expires?: string | undefined;
  [pair: `x-${string}`]: string;
}

export interface FileMetadataResult {
  /** Identifier of the file. */
  id: string;
  /** Key of the file. */
  key: string;
  /**
   * The fields that are set, of `cacheControl`, `contentDisposition`, `contentLanguage`,
   * `contentEncoding`, `expires` and `x-…`.
   */
  metadata: FileMetadata;
}

export interface FileObject {
  /** Unique identifier of the file. */
  id: string;
  /** File name, unique within its folder. */
  name: string;
  /** Path relative to the storage root. Determines the file's public URL. */
  key: string;
  /** Media type. */
  mimeType: string;
  /** In bytes. */
  size: number;
  /** Identifier of the folder that contains the file. */
  folderId: string;
  visibility: Visibility;
  /** Percent-encoded hosting URL, relative to the base URL. */
  url: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** With `include=digest`: the SHA-256 of the content. `null`: it is not known yet. */
  sha256?: string | null | undefined;
  /** With `include=metadata`: the fields that are set. */
  metadata?: Record<string, string> | undefined;
  /** With `include=etag`: the strong validator for conditions, also of a private file. */
  etag?: string | undefined;
  /**
   * With `include=lastingUrl`: a hosting URL that caches may keep for a year. Absent for private
   * files, while the digest is not known, and if the setting `lastingUrls` is off.
   */
  lastingUrl?: string | undefined;
  /** With `include=lifetime`: when the file ends. `null`: never. */
  expiresAt?: Timestamp | null | undefined;
}

export interface FileVersion {
  /** Identifier of the version. */
  id: string;
  /** In bytes. */
  size: number;
  /** Media type. */
  mimeType: string;
  /** SHA-256 of the content, in lower-case hexadecimal digits. `null`: not computed yet. */
  sha256: string | null;
  /** UTC. When the content was stored. */
  modifiedAt: Timestamp;
  /** UTC. When other content replaced it. */
  replacedAt: Timestamp;
  /** UTC. From then on it may be deleted permanently. */
  expiresAt: Timestamp;
  /** Name of the API key or account. `null`: unknown, or hidden from the caller. */
  replacedBy: string | null;
}

export interface FilesChanged {
  /** The files as they are now. */
  files: FileObject[];
  /** The ids of files that stay as they were, and why. */
  failed: ChangeFailure[];
  /** Identifier of the deletion, for `POST /api/trash/restore`. Only if it moved to the trash. */
  undoId?: string | undefined;
}

export interface FilesSigned {
  /** The signed URLs, in the order of the request. */
  signed: SignedFile[];
  /** The ids or keys without a file, in the order of the request. */
  failed: NotDone[];
}

export interface FolderDefault {
  id: string;
  key: string;
  defaultVisibility: Visibility;
}

export interface FolderObject {
  /** Unique identifier of the folder. */
  id: string;
  /** A single path segment. Empty for the root. */
  name: string;
  /** Path relative to the storage root. Empty for the root. */
  key: string;
  /** Identifier of the parent folder; `null` for the root. */
  parentId: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface FolderVisibility {
  /** Identifier of the folder. */
  id: string;
  /** Key of the folder. */
  key: string;
  /** The folder's own default. `null`: inherited. */
  defaultVisibility: Visibility | null;
  /**
   * What an upload to the folder gets if it names no visibility: the folder's own default, else
   * that of the nearest folder above with one, else the setting `defaultVisibility`.
   */
  effectiveVisibility: Visibility;
  /**
   * The folder above with that default. `null`: the folder has its own, or it comes from the
   * setting, or from a folder that the caller may not see.
   */
  inheritedFrom: {
    id: string;
    key: string;
  } | null;
  /** The folder's own, in seconds. `0`: never. `null`: inherited. */
  expireAfter: number | null;
  /** Seconds after which new files end if their upload says nothing. `null`: never. */
  effectiveExpireAfter: number | null;
}

export type GrantAction = "list" | "read" | "write" | "discard" | "delete" | "share";

export interface GrantObject {
  id: string;
  /** The member; `null`: it is for a group. */
  accountId: string | null;
  /** The group of a provider; `null`: it is for one member. */
  group: string | null;
  folder: {
    id: string;
    /** The folder's current key; `null` while it is in the trash. */
    key: string | null;
  };
  /** Actions of the member in that folder. */
  actions: GrantAction[];
  createdAt: Timestamp;
}

export interface HealthBackup {
  readonly finishedAt: Timestamp;
  /** The moment that the backup shows, in UTC. */
  readonly asOf: Timestamp;
  readonly path: string;
  /** Files in the backup, earlier versions included. */
  readonly files: number;
  /** Their total size. */
  readonly bytes: number;
  /** Damaged files, which it leaves out. */
  readonly damaged: number;
}

export interface HealthDetails {
  readonly version: string;
  /** When the responding process was started, in UTC. */
  readonly startedAt: Timestamp;
  /**
   * The data folder, which commands on the server need as `DATA_PATH`. `null`: the default, `data`
   * in the folder of the program.
   */
  readonly dataPath: string | null;
  readonly workers: {
    /** `WORKERS`: the processes that this server should have. */
    readonly configured: number;
    /** Worker processes that are running. */
    readonly running: number;
  };
  /**
   * The background jobs of this server, which run every 20 seconds. Empty until one has run after
   * the start.
   */
  readonly jobs: HealthJob[];
  /** What the server depends on. */
  readonly parts: HealthPart[];
  readonly storage: HealthStorage;
  readonly catalog: {
    readonly bytes: number | null;
  };
  readonly uploads: {
    /** Resumable uploads that are not finished. */
    readonly open: number;
  };
  readonly scrub: HealthScrub;
  /** The last `holdall verify`; `null`: none is recorded. */
  readonly verification: HealthVerification | null;
  /**
   * The last `holdall backup`; `null`: none is recorded. Backups by other tools are not recorded.
   */
  readonly backup: HealthBackup | null;
  /**
   * With files on S3, what was moved within the store is not counted. `null`: the volume does not
   * respond.
   */
  readonly quarantine: {
    /** Folders in the quarantine of the data folder. */
    readonly count: number;
    /** The name of the newest; `null`: there is none. */
    readonly latest: string | null;
  } | null;
  /**
   * The server found that acknowledged changes are lost. `null`: it did not, or the volume does not
   * respond.
   */
  readonly lostRecords: {
    /** ISO 8601, UTC. */
    readonly since: string;
    readonly reason: string;
  } | null;
}

export interface HealthFinding {
  readonly type: "missing" | "damaged";
  readonly fileId: string;
  /** The file's key when the damage was found; `null`: unknown. */
  readonly key: string | null;
  /** Where the content is, or was, in the file storage. */
  readonly place: string;
}

export interface HealthJob {
  readonly name: string;
  /** The end of the last run that succeeded. `null`: none since the start. */
  readonly succeededAt: Timestamp | null;
  /**
   * The message of the last failure since the start, even if the job has succeeded since. `null`:
   * none failed.
   */
  readonly lastError: string | null;
  /** Failures since the last success. More than 1: the job keeps failing. */
  readonly failures: number;
}

export interface HealthPart {
  readonly part: "catalog" | "blobs" | "redis";
  readonly kind: "sqlite" | "postgres" | "disk" | "s3" | "redis";
  /** Why it cannot be used. `null`: it responds. */
  readonly problem: string | null;
}

export interface HealthScrub {
  /** `paused`: it was interrupted and continues on request only, because `SCRUB_EVERY` is 0. */
  readonly state: "never" | "running" | "paused" | "finished";
  /** `SCRUB_EVERY` in seconds; `null`: only on request. */
  readonly every: number | null;
  /** `SCRUB_RATE`: bytes per second. */
  readonly rate: number;
  /** `null`: no check has run. */
  readonly startedAt: Timestamp | null;
  /** `null`: not finished. */
  readonly finishedAt: Timestamp | null;
  /**
   * Files read so far, those in the trash and earlier versions included. Up to half a minute old.
   */
  readonly files: number;
  /** Bytes read so far. */
  readonly bytes: number;
  /** Number of missing and damaged files. */
  readonly found: number;
  /** Missing and damaged files of the previous check that this one has not reached yet. */
  readonly earlier: number;
  /** The first 100 of them. */
  readonly findings: HealthFinding[];
}

export interface HealthStorage {
  /** Number of files. */
  readonly files: number;
  /** Total size of the files. */
  readonly bytes: number;
  readonly trash: {
    /** Files in the trash. */
    readonly files: number;
    readonly bytes: number;
  };
  readonly versions: {
    /** Earlier versions. */
    readonly count: number;
    readonly bytes: number;
  };
  /** The volume of the data folder. `null`: it does not respond. */
  readonly volume: {
    /** Bytes. */
    readonly free: number;
    /** Bytes. */
    readonly size: number;
  } | null;
  /** Bytes that uploads leave free on the volume. */
  readonly reserved: number;
}

export interface HealthVerification {
  readonly finishedAt: Timestamp;
  /** Only sizes were compared. */
  readonly quick: boolean;
  /** Files compared. */
  readonly files: number;
  /** Bytes read. */
  readonly bytes: number;
  /** Files without content. */
  readonly missing: number;
  /** Damaged files. */
  readonly damaged: number;
  /** Stored contents without a file. */
  readonly foreign: number;
  /** Contradictions in the catalog, without lost records that `--repair` has dealt with. */
  readonly catalog: number;
  /** `--repair` was given. */
  readonly repaired: boolean;
}

export interface IdentityObject {
  issuer: string;
  /** How the provider calls the person: the claim `sub`. */
  subject: string;
  createdAt: Timestamp;
}

export interface InviteObject {
  id: string;
  /** `owner`: everything; `member`: what its grants allow. */
  role: "owner" | "member";
  /** Grants of the new member. */
  grants: {
    folderId: string;
    /** Actions of the member in that folder. */
    actions: GrantAction[];
  }[];
  /** The email address of the owner; `null`: a command made it. */
  invitedBy: string | null;
  createdAt: Timestamp;
  expiresAt: Timestamp;
}

export type KeyAction = "list" | "read" | "write" | "discard" | "delete" | "share" | "keys" | "admin";

export interface KeyTrafficObject {
  /** Identifier of the key. */
  readonly id: string;
  readonly name: string;
  /** Number of requests. */
  readonly requests: number;
  /** Bytes of file content in the responses. */
  readonly bytes: number;
  /** Number of responses with a status of 400 or above. */
  readonly errors: number;
}

export interface LinkObject {
  /** Identifier of the link. */
  id: string;
  /**
   * The link, relative to the base URL. Anyone who has it may use it. `null`: `AUTH_SECRET` has
   * changed since, so the URL is not known any more; it still works.
   */
  url: string | null;
  /**
   * `read`: visitors see the file, or everything in the folder. `drop`: visitors send files into
   * the folder, and see nothing.
   */
  kind: "read" | "drop";
  /** Shown to visitors. `null`: they see the name of the file or folder. */
  title: string | null;
  /** What is shared. */
  subject: {
    kind: "file" | "folder";
    id: string;
    /** `null` while it is in the trash, and once it is deleted. */
    key: string | null;
    /**
     * The name, also while it is in the trash. `null`: it is gone, or the key is limited to a
     * folder. That of the root is empty.
     */
    name: string | null;
  };
  hasPassword: boolean;
  /** UTC. `null`: never. */
  expiresAt: Timestamp | null;
  /** Visits that are left; `null`: any number. */
  usesLeft: number | null;
  /**
   * Visits until now. All requests of a browser within 24 hours are one visit; link previews and
   * `HEAD` are none.
   */
  visits: number;
  /** Whether visitors get files as downloads only, without previews. */
  downloadOnly: boolean;
  /** Of a drop link: the most bytes of each set of files that a visitor sends. */
  maxBytes: number | null;
  /** Of a drop link: the most files of each set that a visitor sends. */
  maxFiles: number | null;
  /** Whether the file or folder moves to the trash when the link expires. */
  deleteAtEnd: boolean;
  /** Seconds until received files end; `null`: not set. */
  fileExpiresIn: number | null;
  /** When received files end. `null`: not set. */
  fileExpiresAt: Timestamp | null;
  /**
   * `unavailable`: the file or folder is deleted or in the trash, or the key or account that made
   * the link may not share it any more.
   */
  state: "active" | "expired" | "used_up" | "revoked" | "unavailable";
  createdAt: Timestamp;
  /** `null`: not revoked. */
  revokedAt: Timestamp | null;
  /** Who made the link. */
  createdBy: Actor;
}

export interface ListedAccountObject {
  id: string;
  email: string;
  /** `owner`: everything; `member`: what its grants allow. */
  role: "owner" | "member";
  /** False: the account signs in only with a passkey, or through a provider. */
  hasPassword: boolean;
  createdAt: Timestamp;
  /** `null`: the account is not disabled. */
  disabledAt: Timestamp | null;
  /** Whether two-step sign-in is on. */
  hasSecondFactor: boolean;
  /** Number of passkeys. */
  passkeys: number;
  /** Number of accounts at providers that open it. */
  identities: number;
  /** Its groups at the provider, as of the last sign-in there. */
  groups: string[];
  /** When one of its sessions was last used; `null`: it is signed in nowhere. */
  lastSeenAt: Timestamp | null;
}

export interface LogoObject {
  /** The logo as WebP, relative to the base URL. Another logo has another URL. */
  url: string;
  /** In pixels. */
  width: number;
  /** In pixels. */
  height: number;
}

export interface MeasuredFolder {
  files: number;
  folders: number;
  /** Total size of the files. */
  bytes: number;
  id: string;
}

export type MediaKind = "image" | "video" | "audio" | "document" | "text" | "archive" | "other";

export interface MetadataChange {
  cacheControl?: string | null | undefined;
  contentDisposition?: string | null | undefined;
  contentLanguage?: string | null | undefined;
  contentEncoding?: string | null | undefined;
  expires?: string | null | undefined;
  [pair: `x-${string}`]: string | null;
}

export interface NotDone {
  id?: string | undefined;
  key?: string | undefined;
  code?: "invalid_request" | "sign_in_expired" | "unknown_field" | "trash_disabled" | "invalid_lifetime" | "digest_mismatch" | "space_required" | "unauthorized" | "wrong_credentials" | "invalid_token" | "provider_refused" | "forbidden" | "code_required" | "account_disabled" | "no_grant" | "unknown_space" | "second_factor_required" | "not_admitted" | "password_sign_in_off" | "not_found" | "method_not_allowed" | "too_slow" | "conflict" | "last_owner" | "name_taken" | "request_running" | "email_taken" | "identity_taken" | "wrong_offset" | "gone" | "precondition_failed" | "unsupported_version" | "too_large" | "too_many" | "unsupported_media_type" | "range_not_satisfiable" | "unprocessable" | "idempotency_key_reused" | "locked" | "rate_limited" | "checksum_mismatch" | "unexpected" | "unavailable" | "provider_unavailable" | "no_space" | "quota_exceeded" | undefined;
  message: string;
}

export interface NumberSettingObject {
  /** The current value. */
  value: number;
  default: number;
  /** True if the environment sets the value, so that it cannot be changed here. */
  pinned: boolean;
  /** The environment variable that overrides the setting. */
  variable: string;
  /** Unit of the value. */
  unit: "bytes" | "seconds" | "days" | "files" | "ids" | "pixels" | "percent" | null;
}

export type OnConflict = "refuse" | "replace" | "keepBoth" | "skip";

export type OrderBy = "createdAt" | "updatedAt" | "name" | "naturalName" | "size" | "type";

export type OrderDirection = "ASC" | "DESC";

export interface OverviewObject {
  storage: {
    /** Total size of all files, in bytes. */
    used: number;
    /** Free bytes on the volume; `null` if unknown. */
    free: number | null;
    /** Number of files. */
    files: number;
    /** Number of folders, without the root. */
    folders: number;
    /** Total size of the files in the trash, which `used` does not include. */
    trash: number;
    versions: number | null;
  };
  /** Every type of file, including types without files. */
  types: {
    type: MediaKind;
    files: number;
    bytes: number;
  }[];
  /** The ten largest files. */
  largest: FileObject[];
  /** The ten newest files. */
  newest: FileObject[];
  /** By hour, or by day for a month (UTC), from the oldest to now. */
  traffic: {
    at: Timestamp;
    /** Number of requests for files. */
    requests: number;
    /** Bytes of file content in the responses. */
    bytes: number;
    /** Number of responses with a status of 400 or above. */
    errors: number;
    /**
     * These errors by status, in the order of the statuses. Errors from before this was counted are
     * missing.
     */
    errorsByStatus: {
      status: number;
      /** Number of responses with this status. */
      requests: number;
    }[];
  }[];
  /** Totals of as many hours right before those of `traffic`. */
  previous: {
    requests: number;
    bytes: number;
    errors: number;
  };
  /**
   * The ten files with the most requests, on the days (UTC) that the period touches; `since` is the
   * start of the first one. Without deleted files and those in the trash. Counts are kept of the
   * 250 most requested files of each day: on a day with requests for more files, they may be too
   * low, by at most a 251st of the requests of that day.
   */
  mostRequested: {
    since: Timestamp;
    files: {
      file: FileObject;
      /** Number of requests that were answered without an error. */
      requests: number;
      /** Bytes of the file in the responses. */
      bytes: number;
    }[];
  };
}

export interface PasskeyAssertion {
  /** The id of the credential. */
  id: string;
  /** The id of the credential. */
  rawId: string;
  type: "public-key";
  response: {
    /** What the browser has signed: the challenge and the origin. */
    clientDataJSON: string;
    /** The host name, flags and the counter. */
    authenticatorData: string;
    /** Of both, by the passkey. */
    signature: string;
    /** The account. */
    userHandle?: string | undefined;
  };
}

export interface PasskeyCreationOptions {
  /** In base64url. Works once, for five minutes. */
  challenge: string;
  rp: {
    id: string;
    name: string;
  };
  user: {
    id: string;
    name: string;
    displayName: string;
  };
  pubKeyCredParams: {
    type: "public-key";
    alg: number;
  }[];
  /** In milliseconds. */
  timeout: number;
  excludeCredentials: {
    type: "public-key";
    id: string;
    transports: string[];
  }[];
  authenticatorSelection: {
    residentKey: "required";
    requireResidentKey: boolean;
    userVerification: "required";
  };
  attestation: "none";
}

export interface PasskeyObject {
  id: string;
  /** At first the name of the password manager or device, if it says it. */
  name: string;
  /** The host name of the pages where it works. */
  host: string;
  /** Chosen by the authenticator, in base64url. */
  credentialId: string;
  /** Whether it is backed up or shared among devices, when it was last used. */
  synced: boolean;
  createdAt: Timestamp;
  lastUsedAt: Timestamp | null;
}

export interface PasskeyRegistration {
  /** The id of the credential. */
  id: string;
  /** The id of the credential. */
  rawId: string;
  type: "public-key";
  response: {
    /** What the browser has signed: the challenge and the origin. */
    clientDataJSON: string;
    /** The new public key. */
    attestationObject: string;
    transports?: string[] | undefined;
  };
}

export interface PasskeyRequestOptions {
  /** In base64url. Works once, for five minutes. */
  challenge: string;
  rpId: string;
  /** In milliseconds. */
  timeout: number;
  userVerification: "required";
}

export type Period = "day" | "week" | "month";

export interface Quota {
  folder: {
    /** Identifier of the folder. */
    id: string;
    /** Key of the folder. */
    key: string;
  };
  /** At most this many bytes. `null`: no limit. */
  maxBytes: number | null;
  /** At most this many files. `null`: no limit. */
  maxFiles: number | null;
  /**
   * Size of all files in the folder, of those in the trash that were deleted from it, and of the
   * earlier versions of both.
   */
  usedBytes: number;
  /** The number of these files and versions. */
  usedFiles: number;
  /**
   * Whether more is used than a limit allows, as after a smaller limit was set. Nothing is deleted
   * then; additions are refused.
   */
  isExceeded: boolean;
}

export interface RestoreResult {
  restored: RestoredItem[];
  /** What stayed in the trash, and why. */
  failed: {
    id: string;
    reason: string;
  }[];
}

export interface RestoredItem {
  id: string;
  kind: "file" | "folder";
  /** Where it is now. */
  key: string;
  /** Whether its name was taken, so that it got another. */
  renamed: boolean;
}

export interface S3Credentials {
  /** The id of the API key, without dashes. */
  accessKeyId: string;
  /** Derived from the id of the API key, the number of its rotations, and `AUTH_SECRET`. */
  secretAccessKey: string;
}

export interface SecondFactorObject {
  /** When two-step sign-in was turned on; `null` if it is off. */
  enabledAt: Timestamp | null;
  /** Number of recovery codes that are left. */
  recoveryCodes: number;
}

export interface SessionObject {
  id: string;
  /** True for the caller's session. */
  current: boolean;
  /** The browser's `User-Agent`. */
  userAgent: string;
  /** The IP address at sign-in. */
  address: string;
  createdAt: Timestamp;
  lastSeenAt: Timestamp;
  expiresAt: Timestamp;
}

export interface SettingsChange {
  /** Default visibility of uploaded files. */
  defaultVisibility?: "public" | "private" | null | undefined;
  /** Maximum size of a file. */
  maxUploadSize?: number | null | undefined;
  /** Maximum number of files in one upload. */
  maxFilesPerRequest?: number | null | undefined;
  /** Maximum number of ids in a batch delete. */
  maxDeleteBatch?: number | null | undefined;
  /** Free space on the volume that uploads must leave. */
  minFreeSpace?: number | null | undefined;
  /** Maximum validity of a signed URL. Existing URLs keep theirs. */
  maxPresignSeconds?: number | null | undefined;
  /** Default validity of a signed URL. At most `maxPresignSeconds`. */
  defaultPresignSeconds?: number | null | undefined;
  /** Validity of new links in the dashboard. 0: without an end. */
  defaultLinkDays?: number | null | undefined;
  /**
   * Maximum validity of a link, which links without an end get. Existing links keep theirs. 0: no
   * maximum.
   */
  maxLinkDays?: number | null | undefined;
  /** How long caches may serve a public file without revalidation. */
  hostingCacheSeconds?: number | null | undefined;
  /** Retention of the audit log. 0 disables it. */
  activityRetentionDays?: number | null | undefined;
  /**
   * How long the trash and replaced content are kept. What is in the trash already keeps its time.
   * 0 disables both.
   */
  trashDays?: number | null | undefined;
  /** Maximum width and height of images with `?size=small`. */
  smallImageSize?: number | null | undefined;
  /** Maximum width and height of images with `?size=medium`. */
  mediumImageSize?: number | null | undefined;
  /** Maximum width and height of images with `?size=large`. */
  largeImageSize?: number | null | undefined;
  /** Quality of the smaller sizes of images. 100 is the best and takes the most space. */
  imageQuality?: number | null | undefined;
  /**
   * Whether every deletion moves to the trash, also through the S3 API, unless the request has
   * `trash: false`.
   */
  trashDeletions?: boolean | null | undefined;
  /** Whether replaced content is kept as a version of the file. */
  keepVersions?: boolean | null | undefined;
  /**
   * Whether hosting URLs with the current `?v=` may be cached for a year, also after the file was
   * made private.
   */
  lastingUrls?: boolean | null | undefined;
  /** Whether API keys may make the server fetch files from URLs. Sessions may. */
  fetchByKeys?: boolean | null | undefined;
  /**
   * Whether every account needs two-step sign-in or a passkey. A session without one can only set
   * it up.
   */
  requireSecondFactor?: boolean | null | undefined;
  /**
   * Whether the audit log has an entry for each download of a private file, of a zip, or through a
   * link.
   */
  logDownloads?: boolean | null | undefined;
  /**
   * Name of the instance or its operator, shown on the pages of links, the sign-in page and in page
   * titles. Empty: Holdall.
   */
  instanceName?: string | null | undefined;
  /**
   * Color of buttons and links, such as `#0a665e`. It is made darker or lighter where it could not
   * be read. Empty: Holdall's.
   */
  accentColor?: string | null | undefined;
}

export interface SettingsObject {
  defaultVisibility: VisibilitySettingObject;
  maxUploadSize: NumberSettingObject;
  maxFilesPerRequest: NumberSettingObject;
  maxDeleteBatch: NumberSettingObject;
  minFreeSpace: NumberSettingObject;
  maxPresignSeconds: NumberSettingObject;
  defaultPresignSeconds: NumberSettingObject;
  defaultLinkDays: NumberSettingObject;
  maxLinkDays: NumberSettingObject;
  hostingCacheSeconds: NumberSettingObject;
  activityRetentionDays: NumberSettingObject;
  trashDays: NumberSettingObject;
  smallImageSize: NumberSettingObject;
  mediumImageSize: NumberSettingObject;
  largeImageSize: NumberSettingObject;
  imageQuality: NumberSettingObject;
  trashDeletions: BooleanSettingObject;
  keepVersions: BooleanSettingObject;
  lastingUrls: BooleanSettingObject;
  fetchByKeys: BooleanSettingObject;
  requireSecondFactor: BooleanSettingObject;
  logDownloads: BooleanSettingObject;
  instanceName: TextSettingObject;
  accentColor: TextSettingObject;
}

export interface SignedFile {
  /** Signed URL, relative to the base URL. Gives access to the file until it expires. */
  url: string;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string;
  /** Identifier of the file. */
  id: string;
  /** Key of the file. */
  key: string;
}

export interface SignedFolder {
  /**
   * URL prefix, relative to the base URL, with a slash at the end. Append the percent-encoded path
   * of a file relative to the folder.
   */
  url: string;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string;
}

export interface SignedUrl {
  /** Signed URL, relative to the base URL. Gives access to the file until it expires. */
  url: string;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string;
}

export interface SpaceObject {
  /** Identifier of the grant, for `Holdall-Space`. */
  id: string;
  folder: {
    id: string;
    /** The folder's current key; `null` while it is in the trash. */
    key: string | null;
  };
  /** Actions of the member in that folder. */
  actions: GrantAction[];
}

export interface SubfolderObject {
  /** Unique identifier of the folder. */
  id: string;
  /** A single path segment. Empty for the root. */
  name: string;
  /** Path relative to the storage root. Empty for the root. */
  key: string;
  /** Identifier of the parent folder; `null` for the root. */
  parentId: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /**
   * With `peek=1`: the first files directly in the folder, at most four, in the order of
   * `naturalName`.
   */
  peek?: FileObject[] | undefined;
  /** With `hasFolders=1`: whether the folder has subfolders. */
  hasFolders?: boolean | undefined;
}

export interface TextSettingObject {
  /** The current value. */
  value: string;
  default: string;
  /** True if the environment sets the value, so that it cannot be changed here. */
  pinned: boolean;
  /** The environment variable that overrides the setting. */
  variable: string;
  /** Unit of the value. */
  unit: "bytes" | "seconds" | "days" | "files" | "ids" | "pixels" | "percent" | null;
}

/** UTC, `YYYY-MM-DD HH:MM:SS`. */
export type Timestamp = string;

export interface TrashItem {
  /** Identifier that the file or folder had, and has again after a restore. */
  id: string;
  kind: "file" | "folder";
  name: string;
  /**
   * Where it was, with the current names of folders that were renamed or moved since. A restore
   * puts it there, unless the name is taken.
   */
  key: string;
  size: number | null;
  /** The files in a folder. `null` for a file, and if they are not counted. */
  files: number | null;
  /** `null` for a folder. */
  visibility: Visibility | null;
  /** Media type. `null` for a folder. */
  mimeType: string | null;
  /** Identifier of the deletion. All items of one deletion have the same. */
  undoId: string;
  deletedAt: Timestamp;
  /** Name of the API key or account. `null`: unknown, or hidden from the caller. */
  deletedBy: string | null;
  /** UTC. From then on it may be deleted permanently. */
  expiresAt: Timestamp;
}

export interface TrashTotals {
  /** Deleted files and folders, without what is in the folders. */
  items: number;
  /** Files, including those in folders. */
  files: number;
  /** Total size of the files. */
  bytes: number;
}

export interface Undone {
  /**
   * UTC. The time of all its changes: an undo with `since` and `until` at this time takes back this
   * one alone.
   */
  at: Timestamp;
  /** The number of changes. */
  total: number;
  /** The first 1,000 changes. What is in a folder is not listed. */
  changes: {
    /**
     * As in `GET /api/changes`. `file.deleted` is also what goes to the trash, and what is replaced
     * by a move.
     */
    type: string;
    id: string;
    key: string;
    /** The key before it is moved or restored. */
    fromKey: string | null;
  }[];
  /**
   * An undo lists the first 1,000 files and folders here that it leaves as they are, or gives
   * another name. `key`: where they are, or were when they were deleted; `null`: they are gone.
   */
  conflicts: {
    id: string;
    kind: "file" | "folder";
    key: string | null;
    reason: string;
  }[];
}

export interface UploadObject {
  /** Identifier of the upload. */
  id: string;
  /** Key of the folder; in a batch, relative to the folder of the batch. */
  folder: string;
  /** Name of the file. `null`: the sender names it. */
  name: string | null;
  /** In bytes. `null`: not known yet. */
  size: number | null;
  /** The number of bytes that are stored and survive a power cut. */
  offset: number;
  /**
   * The upload URL, relative to the base URL. Anyone who has it may send, query and cancel this
   * upload, and nothing else. It cannot be read again.
   */
  url: string;
  /** Maximum size, in bytes. */
  maxSize: number;
  /** Allowed media types. Empty: all. */
  types: string[];
  /** `null`: the default. */
  visibility: Visibility | null;
  /** UTC. When the upload is removed, unless more bytes arrive before. */
  expiresAt: Timestamp;
}

export type Visibility = "public" | "private";

export interface VisibilityCounts {
  /** Files in the folder and its subfolders. */
  files: {
    public: number;
    private: number;
  };
  /** Subfolders at any depth with a default of their own, by that. */
  folders: {
    public: number;
    private: number;
  };
}

export interface VisibilitySettingObject {
  /** The current value. */
  value: Visibility;
  default: Visibility;
  /** True if the environment sets the value, so that it cannot be changed here. */
  pinned: boolean;
  /** The environment variable that overrides the setting. */
  variable: string;
  /** Unit of the value. */
  unit: "bytes" | "seconds" | "days" | "files" | "ids" | "pixels" | "percent" | null;
}

export interface WebhookObject {
  id: string;
  name: string;
  url: string;
  /** The types of its events; empty: all. */
  kinds: string[];
  /** The folder whose changes it sends; `null`: all that its maker sees. */
  folder: {
    id: string;
    /** The folder's current key; `null` if it was deleted. */
    key: string | null;
  } | null;
  /**
   * `paused`: somebody paused it, or deliveries have failed for 48 hours. `off`: the receiver
   * answered 410, or its maker is gone.
   */
  state: WebhookState;
  /** Why it is paused or off, unless somebody paused it. */
  reason: string | null;
  createdAt: Timestamp;
  /** Failed attempts to deliver the next event. */
  failedAttempts: number;
  /** When the next attempt is made, after a failed one. */
  nextAttemptAt: Timestamp | null;
  /** Until when deliveries are signed with the secret before the rotation, too. */
  oldSecretExpiresAt: Timestamp | null;
}

export type WebhookState = "active" | "paused" | "off";

/** The input and the result of each operation. A dry run returns `dryRun` instead of `data`. */
export interface Api {
  /** List files, or fetch one. */
  readonly listFiles: {
    readonly query?: {
      /** Fetches the file with this id. */
      id?: string | undefined;
      /** Fetches the file with this key. */
      key?: string | undefined;
      /** Lists the files with exactly this name, in all folders. */
      name?: string | undefined;
      /**
       * Lists the files with this SHA-256 digest: 64 hexadecimal digits. Files from before digests
       * were stored are found once the scrub has read them.
       */
      sha256?: string | undefined;
      /** Maximum number of files. Default: all. */
      limit?: number | undefined;
      /** Number of files to skip. Default: 0. */
      offset?: number | undefined;
      /**
       * Field to sort by. Default: `createdAt`. `name` compares bytes: `B`, `a1`, `a10`, `a2`.
       * `naturalName` ignores case and accents and compares numbers by value: `a1`, `a2`, `a10`,
       * `B`. `type` is the media type. Equal values are ordered by id.
       */
      orderBy?: OrderBy | undefined;
      /** Default: `DESC`. Case-insensitive. */
      orderDirection?: OrderDirection | undefined;
      /**
       * Cursor for stable paging: pages do not repeat or skip files when others are added or
       * deleted, and every page costs the same. Empty for the first page, then the `nextCursor` of
       * the previous page, with the same parameters. Cannot be combined with `offset`.
       */
      cursor?: string | undefined;
      /**
       * Adds to each file what is named, of `digest`, `metadata`, `etag`, `lastingUrl`, `lifetime`.
       * Separated by commas, or repeated.
       */
      include?: readonly ("digest" | "metadata" | "etag" | "lastingUrl" | "lifetime")[] | undefined;
    };
    readonly data: {
      files: FileObject[];
      /** The `cursor` of the next page; `null` on the last page. */
      nextCursor?: string | null | undefined;
    } | {
      file: FileObject;
    };
  };
  /** Get the SHA-256 of a file. */
  readonly fileDigest: {
    readonly query?: {
      /** The id of the file. */
      id?: string | undefined;
      /** The key of the file, instead of its id. */
      key?: string | undefined;
    };
    readonly data: FileDigest;
  };
  /** Get the metadata of a file. */
  readonly fileMetadata: {
    readonly query?: {
      /** The id of the file. */
      id?: string | undefined;
      /** The key of the file, instead of its id. */
      key?: string | undefined;
    };
    readonly data: FileMetadataResult;
  };
  /** Get when a file ends. */
  readonly fileLifetime: {
    readonly query?: {
      /** The id of the file. */
      id?: string | undefined;
      /** The key of the file, instead of its id. */
      key?: string | undefined;
    };
    readonly data: FileLifetime;
  };
  /** Upload files. */
  readonly uploadFiles: {
    readonly data: {
      files: FileObject[];
    };
  };
  /** Store the body as a file. */
  readonly putContent: {
    readonly query: {
      /** The key of the file. Missing folders are created. */
      key: string;
      /**
       * The visibility of the file. Default: that of a replaced file, otherwise that of new files
       * in the folder.
       */
      visibility?: Visibility | undefined;
      /**
       * What to do if a file has the key. `replace` (default): give it the new content; it keeps
       * its id, key and creation time. `refuse`: respond 409. `keepBoth`: store the file as `name
       * (2).ext`, with the first free number. `skip`: leave the file as it is and respond with it.
       * If a folder has the key, respond 409.
       */
      onConflict?: OnConflict | undefined;
      /** Seconds until the file ends, or `never`, as in an upload form. */
      expiresIn?: string | undefined;
      /** The same as a time, or `never`. */
      expiresAt?: string | undefined;
      /**
       * A JSON object with the metadata of the file, as in an upload form. Default: that of a
       * replaced file.
       */
      metadata?: string | undefined;
    };
    readonly data: {
      file: FileObject;
    };
  };
  /** Get the content of a file. */
  readonly readContent: {
    readonly query?: {
      /** The id of the file. */
      id?: string | undefined;
      /** The key of the file, instead of its id. */
      key?: string | undefined;
    };
  };
  /** Rename, move or change files. */
  readonly changeFile: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** The file's id. */
      id?: string | undefined;
      /** The file's key, instead of its id. */
      key?: string | undefined;
      /** The ids of 1 to 5,000 files, instead of `id`, to change their visibility or folder. */
      ids?: readonly string[] | undefined;
      /** The keys of the files, instead of `ids`. */
      keys?: readonly string[] | undefined;
      /** The new name: a single path segment. */
      name?: string | undefined;
      visibility?: Visibility | undefined;
      /** The id of the folder to move it or them to. */
      folderId?: string | undefined;
      /** The key of the folder to move it or them to, instead of `folderId`. `/`: the root. */
      folder?: string | undefined;
      /**
       * Response headers of the file: `cacheControl`, `contentDisposition`, `contentLanguage`,
       * `contentEncoding` (of `gzip`, `br`, `zstd`, `deflate`), `expires` (an HTTP date), and pairs
       * with lower-case names `x-…`, which are sent as `X-Meta-…`. Those of S3 clients,
       * `x-amz-meta-…`, are sent as they are. At most 32 pairs, 2,048 bytes of JSON and 1,800 bytes
       * of headers, in which the names of pairs count twice. Fields that are left out stay; `null`
       * removes a field, and `metadata: null` removes all.
       */
      metadata?: MetadataChange | null | undefined;
      /**
       * Seconds until the file ends: it is then missing everywhere, and moves to the trash. A key
       * needs the action `delete` for it. `null`: never.
       */
      expiresIn?: number | null | undefined;
      /** The same as a time: UTC, or ISO 8601. */
      expiresAt?: string | null | undefined;
      /**
       * What to do if the new name is already taken in the folder. `refuse` (default): respond 409,
       * or with `ids`, leave the file as it is and return it in `failed`. `replace`: delete the
       * file that has the name; a folder is refused. A key needs the action `discard` for it.
       * `keepBoth`: name the file `name (2).ext`, with the first free number. `skip`: leave the
       * file as it is.
       */
      onConflict?: OnConflict | undefined;
      /**
       * With `onConflict: replace`. `true`: moves the replaced files to the trash, and the response
       * has an `undoId`. `false`: deletes them permanently. Default: the setting `trashDeletions`.
       */
      trash?: boolean | undefined;
    };
    readonly data: {
      file: FileObject;
      /**
       * Identifier of the deletion, for `POST /api/trash/restore`. Only if it moved to the trash.
       */
      undoId?: string | undefined;
    } | FilesChanged;
    readonly dryRun: DryRun;
  };
  /** Copy one or more files. */
  readonly copyFiles: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** The file's id. */
      id?: string | undefined;
      /** The file's key, instead of its id. */
      key?: string | undefined;
      /** The ids of 1 to 5,000 files, instead of `id`. */
      ids?: readonly string[] | undefined;
      /** The keys of the files, instead of `ids`. */
      keys?: readonly string[] | undefined;
      /** The id of the folder to copy to. Default: the folder that each file is in. */
      folderId?: string | undefined;
      /** The key of the folder to copy to, instead of `folderId`. `/`: the root. */
      folder?: string | undefined;
      /**
       * The name of the copy, with `id` or `key` only: a single path segment. Default: the same.
       */
      name?: string | undefined;
      /** Seconds until the copies end, which do not by default. `null`: never. */
      expiresIn?: number | null | undefined;
      /** The same as a time: UTC, or ISO 8601. */
      expiresAt?: string | null | undefined;
      /**
       * What to do if a name is already taken in the folder. `refuse` (default): respond 409 and
       * copy nothing. `replace`: give the existing file the content and metadata; it keeps its id,
       * key and creation time, and its visibility unless the copied file is private. `keepBoth`:
       * name the copy `name (2).ext`, with the first free number. `skip`: do not copy the file, and
       * omit it from the response.
       */
      onConflict?: OnConflict | undefined;
    };
    readonly data: {
      /** The copies in the order given, without skipped ones. */
      files: FileObject[];
    };
    readonly dryRun: DryRun;
  };
  /** Delete one or more files. */
  readonly deleteFiles: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** The id of a single file to delete. */
      id?: string | undefined;
      /** The ids of 1 to `MAX_DELETE_BATCH` files, instead of `id`. */
      ids?: readonly string[] | undefined;
      /** The file's key, instead of its id. */
      key?: string | undefined;
      /** The keys of the files, instead of `ids`. */
      keys?: readonly string[] | undefined;
      /**
       * `true`: moves to the trash, and the response has an `undoId`. `false`: deletes permanently.
       * Default: the setting `trashDeletions`.
       */
      trash?: boolean | undefined;
    };
    readonly data: DeleteResult;
    readonly dryRun: DryRun;
  };
  /** Fetch files from URLs. */
  readonly fetchFiles: {
    readonly body: {
      /** Where the file is, with http:// or https://. */
      url?: string | undefined;
      /**
       * Target folder. Missing folders are created. Default: the root, or the folder of the API
       * key.
       */
      folder?: string | undefined;
      /** Name of the file. Default: as the source names it, or the end of the URL. */
      name?: string | undefined;
      /** The expected SHA-256 of the file. A file with another one is not stored. */
      sha256?: string | undefined;
      /** Up to 100 files with their keys, instead of `url`, `folder`, `name` and `sha256`. */
      files?: readonly {
        key: string;
        /** Where the file is, with http:// or https://. */
        url: string;
      }[] | undefined;
      /** What the server does if, once a file is complete, its name is already taken. */
      onConflict?: OnConflict | undefined;
      visibility?: Visibility | undefined;
    };
    readonly data: {
      /** In the order of the request. */
      uploads: UploadObject[];
    };
  };
  /** Create signed URLs. */
  readonly signFile: {
    readonly body: {
      /** The file's id. */
      id?: string | undefined;
      /** The file's key, instead of its id. */
      key?: string | undefined;
      /** The ids of 1 to 1,000 files, instead of `id`. */
      ids?: readonly string[] | undefined;
      /** The keys of the files, instead of `ids`. */
      keys?: readonly string[] | undefined;
      /**
       * Validity in seconds, at most `MAX_PRESIGN_TTL_SECONDS`. Default:
       * `DEFAULT_PRESIGN_TTL_SECONDS`.
       */
      expiresIn?: number | undefined;
    };
    readonly data: SignedUrl | FilesSigned;
  };
  /** Download a file. */
  readonly downloadFile: {
    readonly parameters: {
      /** The file's id. */
      readonly id: string;
    };
  };
  /** Download selected files and folders as a zip. */
  readonly downloadFiles: {
    readonly body: {
      /** The ids of files. */
      ids?: readonly string[] | undefined;
      /** The ids of folders, each with everything in it. */
      folderIds?: readonly string[] | undefined;
      /** The keys of files. */
      keys?: readonly string[] | undefined;
      /** The keys of folders. `/`: the root. */
      folders?: readonly string[] | undefined;
    };
  };
  /** Download selected files and folders as a zip, by URL. */
  readonly downloadSelection: {
    readonly query?: {
      /** The id of a file. May be repeated. */
      ids?: readonly string[] | undefined;
      /** The id of a folder, with everything in it. May be repeated. */
      folderIds?: readonly string[] | undefined;
      /** The key of a file. May be repeated. */
      keys?: readonly string[] | undefined;
      /** The key of a folder. `/`: the root. May be repeated. */
      folders?: readonly string[] | undefined;
    };
  };
  /** Serve a file at its public URL. */
  readonly hostFile: {
    readonly parameters: {
      /** The file's key. */
      readonly key: string;
    };
    readonly query?: {
      /** `1` serves the file as an attachment. Not covered by the signature. */
      download?: string | undefined;
      /**
       * Serves a JPEG, PNG, WebP or GIF image in a smaller size, as WebP, or as JPEG or PNG if
       * `Accept` does not name `image/webp`. Not covered by the signature.
       */
      size?: "small" | "medium" | "large" | undefined;
      /**
       * The version of a lasting URL: 16 lower-case hexadecimal digits. If it is that of a public
       * file, caches may keep the response for a year. If it is another one, the response is a
       * redirect to the current one. Anything else is ignored.
       */
      v?: string | undefined;
      /** Expiry of the signed URL, in Unix seconds. */
      exp?: string | undefined;
      /** The signature of the signed URL. */
      sig?: string | undefined;
    };
  };
  /** Create an upload URL. */
  readonly createUpload: {
    readonly body: {
      /**
       * Target folder. Missing folders are created. Default: the root, or the folder of the API
       * key; in a batch, the folder of the batch.
       */
      folder?: string | undefined;
      /** Name of the file. Default: the sender names it. */
      name?: string | undefined;
      /** Size of the file in bytes. Default: the sender says it. */
      size?: number | undefined;
      /** Maximum size in bytes. At most, and by default, `MAX_UPLOAD_SIZE`. */
      maxSize?: number | undefined;
      /**
       * Allowed media types, such as `image/png`, or `image/*` for all images. The type of a file
       * is that of its name's extension. Default: all.
       */
      types?: readonly string[] | undefined;
      /** Media type of the file, if its name has no known extension. */
      contentType?: string | undefined;
      /**
       * Default: that of the batch, else that of a replaced file, else `DEFAULT_FILE_VISIBILITY`.
       */
      visibility?: Visibility | undefined;
      /**
       * What to do if the name is already taken when the file is complete: `refuse` (default),
       * `replace`, `keepBoth` or `skip`. In a batch, that of the batch applies.
       */
      onConflict?: OnConflict | undefined;
      /**
       * Seconds until a file ends, from when it appears. `null`: never. Default: `expireAfter` of
       * its folder.
       */
      fileExpiresIn?: number | null | undefined;
      /** The same as a time. */
      fileExpiresAt?: string | null | undefined;
      /**
       * Response headers of the file: `cacheControl`, `contentDisposition`, `contentLanguage`,
       * `contentEncoding` (of `gzip`, `br`, `zstd`, `deflate`), `expires` (an HTTP date), and pairs
       * with lower-case names `x-…`, which are sent as `X-Meta-…`. Those of S3 clients,
       * `x-amz-meta-…`, are sent as they are. At most 32 pairs, 2,048 bytes of JSON and 1,800 bytes
       * of headers, in which the names of pairs count twice. A replaced file keeps its metadata if
       * this field is left out.
       */
      metadata?: FileMetadata | undefined;
      /**
       * The expected SHA-256 of the file, in 64 hexadecimal digits. A file with another one is not
       * stored.
       */
      sha256?: string | undefined;
      /**
       * Seconds until the upload expires, if nothing arrives before: whenever bytes arrive, it
       * stays for `UPLOAD_EXPIRY` more. At most `MAX_PRESIGN_TTL_SECONDS`. Default:
       * `UPLOAD_EXPIRY`.
       */
      expiresIn?: number | undefined;
    };
    readonly data: {
      upload: UploadObject;
    };
  };
  /** Get the supported features of tus. */
  readonly tusFeatures: Record<never, never>;
  /** Ask how much of an upload is stored. */
  readonly uploadState: {
    readonly parameters: {
      /** The last segment of the upload URL: id, dot, secret. */
      readonly upload: string;
    };
  };
  /** Show an upload, and its file once it is complete. */
  readonly showUpload: {
    readonly parameters: {
      /** The last segment of the upload URL: id, dot, secret. */
      readonly upload: string;
    };
    readonly data: {
      upload: {
        /** Identifier of the upload. */
        id: string;
        /** Key of the folder; in a batch, relative to the folder of the batch. */
        folder: string;
        /** Name of the file. `null`: the sender names it. */
        name: string | null;
        /** In bytes. `null`: not known yet. */
        size: number | null;
        /** The number of bytes that are stored and survive a power cut. */
        offset: number;
        /** Maximum size, in bytes. */
        maxSize: number;
        /** Allowed media types. Empty: all. */
        types: string[];
        /** `null`: the default. */
        visibility: Visibility | null;
        /** UTC. When the upload is removed, unless more bytes arrive before. */
        expiresAt: Timestamp;
      };
      /** Whether the file is complete. */
      complete: boolean;
      file: FileObject | null;
      /** How far `POST /api/files/fetch` is; `null`: a client sends the file. */
      fetch: {
        state: FetchState;
        /** Why it failed. */
        error: string | null;
      } | null;
    };
  };
  /** Send bytes of an upload. */
  readonly appendToUpload: {
    readonly parameters: {
      /** The last segment of the upload URL: id, dot, secret. */
      readonly upload: string;
    };
  };
  /** Cancel an upload. */
  readonly cancelUpload: {
    readonly parameters: {
      /** The last segment of the upload URL: id, dot, secret. */
      readonly upload: string;
    };
  };
  /** Get the supported features of tus at an upload URL. */
  readonly uploadOptions: {
    readonly parameters: {
      /** The last segment of the upload URL: id, dot, secret. */
      readonly upload: string;
    };
  };
  /** Start a batch of files that appear together. */
  readonly createBatch: {
    readonly body: {
      /**
       * The folder that all files of the batch go into. Default: the root, or the folder of the API
       * key.
       */
      folder?: string | undefined;
      /**
       * Visibility of its files. Default: that of a replaced file, else `DEFAULT_FILE_VISIBILITY`.
       */
      visibility?: Visibility | undefined;
      /**
       * Seconds until a file ends, from when it appears. `null`: never. Default: `expireAfter` of
       * its folder.
       */
      fileExpiresIn?: number | null | undefined;
      /** The same as a time. */
      fileExpiresAt?: string | null | undefined;
      /**
       * What to do with names that are already taken when the batch is committed: `refuse`
       * (default), `replace`, `keepBoth` or `skip`.
       */
      onConflict?: OnConflict | undefined;
    };
    readonly data: {
      batch: BatchObject;
      /** The batch URL, relative to the base URL. It cannot be read again. */
      url: string;
    };
  };
  /** Show a batch and what is in it. */
  readonly showBatch: {
    readonly parameters: {
      /** The last segment of the batch URL: id, dot, secret. */
      readonly batch: string;
    };
    readonly data: {
      batch: BatchObject;
      members: BatchMember[];
      uploads: BatchUpload[];
    };
  };
  /** Add files to a batch with a form. */
  readonly addToBatch: {
    readonly parameters: {
      /** The last segment of the batch URL: id, dot, secret. */
      readonly batch: string;
    };
    readonly data: {
      batch: BatchObject;
      members: BatchMember[];
    };
  };
  /** Create an upload URL for a file of a batch. */
  readonly createBatchUpload: {
    readonly parameters: {
      /** The last segment of the batch URL: id, dot, secret. */
      readonly batch: string;
    };
    readonly body: {
      /**
       * Target folder. Missing folders are created. Default: the root, or the folder of the API
       * key; in a batch, the folder of the batch.
       */
      folder?: string | undefined;
      /** Name of the file. Default: the sender names it. */
      name?: string | undefined;
      /** Size of the file in bytes. Default: the sender says it. */
      size?: number | undefined;
      /** Maximum size in bytes. At most, and by default, `MAX_UPLOAD_SIZE`. */
      maxSize?: number | undefined;
      /**
       * Allowed media types, such as `image/png`, or `image/*` for all images. The type of a file
       * is that of its name's extension. Default: all.
       */
      types?: readonly string[] | undefined;
      /** Media type of the file, if its name has no known extension. */
      contentType?: string | undefined;
      /**
       * Default: that of the batch, else that of a replaced file, else `DEFAULT_FILE_VISIBILITY`.
       */
      visibility?: Visibility | undefined;
      /**
       * Seconds until a file ends, from when it appears. `null`: never. Default: `expireAfter` of
       * its folder.
       */
      fileExpiresIn?: number | null | undefined;
      /** The same as a time. */
      fileExpiresAt?: string | null | undefined;
      /**
       * Response headers of the file: `cacheControl`, `contentDisposition`, `contentLanguage`,
       * `contentEncoding` (of `gzip`, `br`, `zstd`, `deflate`), `expires` (an HTTP date), and pairs
       * with lower-case names `x-…`, which are sent as `X-Meta-…`. Those of S3 clients,
       * `x-amz-meta-…`, are sent as they are. At most 32 pairs, 2,048 bytes of JSON and 1,800 bytes
       * of headers, in which the names of pairs count twice. A replaced file keeps its metadata if
       * this field is left out.
       */
      metadata?: FileMetadata | undefined;
      /**
       * The expected SHA-256 of the file, in 64 hexadecimal digits. A file with another one is not
       * stored.
       */
      sha256?: string | undefined;
      /**
       * Seconds until the upload expires, if nothing arrives before: whenever bytes arrive, it
       * stays for `UPLOAD_EXPIRY` more. At most `MAX_PRESIGN_TTL_SECONDS`. Default:
       * `UPLOAD_EXPIRY`.
       */
      expiresIn?: number | undefined;
    };
    readonly data: {
      upload: UploadObject;
    };
  };
  /** Make all files of a batch visible. */
  readonly commitBatch: {
    readonly parameters: {
      /** The last segment of the batch URL: id, dot, secret. */
      readonly batch: string;
    };
    readonly data: {
      batch: BatchObject;
    };
  };
  /** Drop a batch. */
  readonly dropBatch: {
    readonly parameters: {
      /** The last segment of the batch URL: id, dot, secret. */
      readonly batch: string;
    };
    readonly data: Record<never, never>;
  };
  /** List a folder. */
  readonly browseFolder: {
    readonly query?: {
      /** The id of the folder. */
      id?: string | undefined;
      /** The key of the folder, instead of its id. */
      folder?: string | undefined;
      /** Alias of `folder`. */
      key?: string | undefined;
      /** Alias of `folder`. */
      path?: string | undefined;
      /** Maximum number of files. Default: all. */
      limit?: number | undefined;
      /** Number of files to skip. Default: 0. */
      offset?: number | undefined;
      /**
       * Field to sort by. Default: `createdAt`. `name` compares bytes: `B`, `a1`, `a10`, `a2`.
       * `naturalName` ignores case and accents and compares numbers by value: `a1`, `a2`, `a10`,
       * `B`. `type` is the media type. Equal values are ordered by id.
       */
      orderBy?: OrderBy | undefined;
      /** Default: `DESC`. Case-insensitive. */
      orderDirection?: OrderDirection | undefined;
      /**
       * Cursor for stable paging: pages do not repeat or skip files when others are added or
       * deleted, and every page costs the same. Empty for the first page, then the `nextCursor` of
       * the previous page, with the same parameters. Cannot be combined with `offset`.
       */
      cursor?: string | undefined;
      /**
       * Adds to each file what is named, of `digest`, `metadata`, `etag`, `lastingUrl`, `lifetime`.
       * Separated by commas, or repeated.
       */
      include?: readonly ("digest" | "metadata" | "etag" | "lastingUrl" | "lifetime")[] | undefined;
      /** `1` adds the first files of each subfolder, at most four. Default: `0`. */
      peek?: "0" | "1" | undefined;
      /** `1` adds to each subfolder whether it has subfolders. Default: `0`. */
      hasFolders?: "0" | "1" | undefined;
    };
    readonly data: {
      folder: FolderObject;
      files: FileObject[];
      folders: SubfolderObject[];
      /** The `cursor` of the next page; `null` on the last page. */
      nextCursor?: string | null | undefined;
    };
  };
  /** Download a folder as a zip. */
  readonly downloadFolder: {
    readonly query?: {
      /** The id of the folder. */
      id?: string | undefined;
      /** The key of the folder, instead of its id. */
      folder?: string | undefined;
      /** Alias of `folder`. */
      key?: string | undefined;
      /** Alias of `folder`. */
      path?: string | undefined;
    };
  };
  /** Measure a folder. */
  readonly measureFolder: {
    readonly query?: {
      /** The id of the folder. */
      id?: string | undefined;
      /** The key of the folder, instead of its id. */
      folder?: string | undefined;
      /** Alias of `folder`. */
      key?: string | undefined;
      /** Alias of `folder`. */
      path?: string | undefined;
      /**
       * The id of a folder, instead of `id`. May be repeated up to 150 times: the result has the
       * size of each folder in `each`, and the sum, in which a folder inside another one counts
       * once.
       */
      ids?: readonly string[] | undefined;
    };
    readonly data: {
      files: number;
      folders: number;
      /** Total size of the files. */
      bytes: number;
      /** With `ids`: each of the folders, in the order of `ids`. */
      each?: MeasuredFolder[] | undefined;
    };
  };
  /** Show the default visibility of a folder. */
  readonly readFolderVisibility: {
    readonly query?: {
      /** The id of the folder. */
      id?: string | undefined;
      /** The key of the folder, instead of its id. */
      folder?: string | undefined;
      /** Alias of `folder`. */
      key?: string | undefined;
      /** Alias of `folder`. */
      path?: string | undefined;
    };
    readonly data: {
      folder: FolderVisibility;
      folders: FolderDefault[];
    };
  };
  /** Count the public and private files of a folder. */
  readonly countVisibility: {
    readonly query?: {
      /** The id of the folder. */
      id?: string | undefined;
      /** The key of the folder, instead of its id. */
      folder?: string | undefined;
      /** Alias of `folder`. */
      key?: string | undefined;
      /** Alias of `folder`. */
      path?: string | undefined;
    };
    readonly data: VisibilityCounts;
  };
  /** Create a folder. */
  readonly createFolder: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** Path relative to the root. Missing parent folders are created. */
      folder: string;
    };
    readonly data: {
      folder: FolderObject;
    };
    readonly dryRun: DryRun;
  };
  /** Rename, move or change a folder. */
  readonly changeFolder: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** The folder's id. */
      id?: string | undefined;
      /** The folder's key, instead of its id. */
      key?: string | undefined;
      /** Alias of `key`. */
      folder?: string | undefined;
      /** The new name: a single path segment. */
      name?: string | undefined;
      visibility?: Visibility | undefined;
      /** The id of the folder to move it to. */
      parentId?: string | undefined;
      /** The key of the folder to move it to, instead of `parentId`. `/`: the root. */
      parent?: string | undefined;
      /**
       * Of later uploads to the folder and its subfolders that name no visibility. `null`: that of
       * the parent folder again.
       */
      defaultVisibility?: "public" | "private" | null | undefined;
      /**
       * Seconds after which later uploads to the folder and its subfolders end that say nothing
       * else; needs the action `delete`. `0`: never. `null`: as in the parent folder again.
       */
      expireAfter?: number | null | undefined;
      /**
       * What to do if the new name is already taken in the parent folder. `refuse` (default):
       * respond 409. `keepBoth`: name the folder `name (2)`, with the first free number. `skip`:
       * leave the folder as it is.
       */
      onConflict?: "refuse" | "keepBoth" | "skip" | undefined;
    };
    readonly data: {
      folder: FolderObject;
    };
    readonly dryRun: DryRun;
  };
  /** Copy a folder with everything in it. */
  readonly copyFolder: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** The folder's id. */
      id?: string | undefined;
      /** The folder's key, instead of its id. */
      key?: string | undefined;
      /** Alias of `key`. */
      folder?: string | undefined;
      /** The id of the folder to copy it into. Default: its parent. */
      parentId?: string | undefined;
      /** The key of the folder to copy it into, instead of `parentId`. `/`: the root. */
      parent?: string | undefined;
      /** The name of the copy: a single path segment. Default: the same. */
      name?: string | undefined;
      /**
       * What to do if the name is already taken in the parent folder. `refuse` (default): respond
       * 409 and copy nothing. `keepBoth`: name the copy `name (2)`, with the first free number.
       * `replace` and `skip`: copy into the existing folder, and replace or keep the files there
       * whose names are taken; if a file has the folder's name, respond 409.
       */
      onConflict?: OnConflict | undefined;
    };
    readonly data: {
      folder: FolderObject;
      /** Files that were added. */
      added: number;
      /** Files that were replaced. */
      replaced: number;
      /** Files that were not copied, because their names were taken. */
      skipped: number;
      /** Total size of the added and replaced files. */
      bytes: number;
    };
    readonly dryRun: DryRun;
  };
  /** Create a signed URL of a folder. */
  readonly signFolder: {
    readonly body: {
      /** The folder's id. */
      id?: string | undefined;
      /** The folder's key, instead of its id. */
      key?: string | undefined;
      /** Alias of `key`. */
      folder?: string | undefined;
      /**
       * Validity in seconds, at most `MAX_PRESIGN_TTL_SECONDS`. Default:
       * `DEFAULT_PRESIGN_TTL_SECONDS`.
       */
      expiresIn?: number | undefined;
    };
    readonly data: SignedFolder;
  };
  /** Delete a folder with everything in it. */
  readonly deleteFolder: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** The folder's id. */
      id?: string | undefined;
      /** The folder's key, instead of its id. */
      key?: string | undefined;
      /** Alias of `key`. */
      folder?: string | undefined;
      /**
       * `true`: moves to the trash, and the response has an `undoId`. `false`: deletes permanently.
       * Default: the setting `trashDeletions`.
       */
      trash?: boolean | undefined;
    };
    readonly data: {
      /** The id of the deleted object. */
      deleted: string[];
      /**
       * Identifier of the deletion, for `POST /api/trash/restore`. Only if it moved to the trash.
       */
      undoId?: string | undefined;
    };
    readonly dryRun: DryRun;
  };
  /** Show quotas and what is used of them. */
  readonly readQuotas: {
    readonly query?: {
      /** The id of the folder. */
      id?: string | undefined;
      /** The key of the folder, instead of its id. */
      folder?: string | undefined;
      /** Alias of `folder`. */
      key?: string | undefined;
      /** Alias of `folder`. */
      path?: string | undefined;
    };
    readonly data: {
      quotas: Quota[];
    };
  };
  /** Set or remove the quota of a folder. */
  readonly setQuota: {
    readonly body: {
      /** The folder's id. */
      id?: string | undefined;
      /** The folder's key, instead of its id. */
      key?: string | undefined;
      /** Alias of `key`. */
      folder?: string | undefined;
      /** At most this many bytes. `null`: no limit. */
      maxBytes?: number | null | undefined;
      /** At most this many files. `null`: no limit. */
      maxFiles?: number | null | undefined;
    };
    readonly data: {
      /** `null`: there is none any more. */
      quota: Quota | null;
    };
  };
  /** List the trash. */
  readonly listTrash: {
    readonly query?: {
      /** Only what this deletion moved to the trash. */
      undoId?: string | undefined;
      /** Maximum number of results. Default: 50. */
      limit?: number | undefined;
      /**
       * The `nextCursor` of the previous page, with the same `undoId`. Empty for the first page.
       */
      cursor?: string | undefined;
    };
    readonly data: {
      items: TrashItem[];
      /** Of everything in the trash that the caller may see. */
      totals: TrashTotals;
      /** The `cursor` of the next page; `null` on the last page. */
      nextCursor: string | null;
    };
  };
  /** Restore from the trash. */
  readonly restoreTrash: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** Everything that this deletion moved to the trash. */
      undoId?: string | undefined;
      /** The ids of 1 to `MAX_DELETE_BATCH` of them. */
      ids?: readonly string[] | undefined;
      /**
       * With `since`: everything that it moved to the trash. The id of an API key or an account.
       * The key also stands for all keys that it has made. Only `admin` may name other keys and
       * accounts than the caller and the keys that it has made.
       */
      by?: string | undefined;
      /** With `by`: from this time on, at most `TRASH_DAYS` ago. UTC, or ISO 8601. */
      since?: string | undefined;
      /** Until this time. Default: now. */
      until?: string | undefined;
      /** Only in this folder, at any depth. Default: everywhere. */
      folder?: string | undefined;
    };
    readonly data: RestoreResult;
    readonly dryRun: DryRun;
  };
  /** Undo what somebody did since a time. */
  readonly undoChanges: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /**
       * The id of an API key or an account. The key also stands for all keys that it has made. Only
       * `admin` may name other keys and accounts than the caller and the keys that it has made.
       */
      by: string;
      /** From this time on, at most `TRASH_DAYS` ago. UTC, or ISO 8601. */
      since: string;
      /** Until this time. Default: now. */
      until?: string | undefined;
      /** Only in this folder, at any depth. Default: everywhere. */
      folder?: string | undefined;
    };
    readonly data: Undone;
    readonly dryRun: DryRun;
  };
  /** Delete from the trash permanently. */
  readonly emptyTrash: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** Everything that this deletion moved to the trash. */
      undoId?: string | undefined;
      /** The ids of 1 to `MAX_DELETE_BATCH` of them. */
      ids?: readonly string[] | undefined;
      /** Everything in the trash that the caller may see. */
      all?: true | undefined;
    };
    readonly data: {
      /** The ids of the items. */
      deleted: string[];
    };
    readonly dryRun: DryRun;
  };
  /** List the versions of a file. */
  readonly listVersions: {
    readonly query?: {
      /** The id of the file. */
      id?: string | undefined;
      /** The key of the file, instead of its id. */
      key?: string | undefined;
      /** Maximum number of results. Default: 50. */
      limit?: number | undefined;
      /**
       * The `nextCursor` of the previous page, with the same `id` or `key`. Empty for the first
       * page.
       */
      cursor?: string | undefined;
    };
    readonly data: {
      versions: FileVersion[];
      /** The `cursor` of the next page; `null` on the last page. */
      nextCursor: string | null;
    };
  };
  /** Download a version. */
  readonly downloadVersion: {
    readonly query: {
      /** The version's id. */
      id: string;
      /** `1` serves it as an attachment. */
      download?: string | undefined;
    };
  };
  /** Restore a version. */
  readonly restoreVersion: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** The version's id. */
      id: string;
    };
    readonly data: {
      file: FileObject;
    };
    readonly dryRun: DryRun;
  };
  /** Delete versions permanently. */
  readonly deleteVersions: {
    readonly query?: {
      /** The same as `dryRun` in the body. */
      dryRun?: boolean | undefined;
    };
    readonly body: {
      /** `true`: changes nothing and returns only what the request would do, as `dryRun`. */
      dryRun?: boolean | undefined;
      /** The id of a single version. */
      id?: string | undefined;
      /** The ids of 1 to `MAX_DELETE_BATCH` of them. */
      ids?: readonly string[] | undefined;
    };
    readonly data: {
      /** The ids of the versions. */
      deleted: string[];
    };
    readonly dryRun: DryRun;
  };
  /** Search files and folders by name. */
  readonly search: {
    readonly query: {
      /**
       * Part of a name, in upper or lower case, with or without accents: `eclair` finds
       * `Éclair.txt`. With `*`, the whole name, where each `*` stands for any text: `*.pdf`.
       */
      q: string;
      /** Searches this folder and its subfolders. Default: all folders that the caller may see. */
      folderId?: string | undefined;
      /** The key of the folder, instead of `folderId`. */
      folder?: string | undefined;
      /** Only files of this media type, or of a group such as `image/*`. */
      type?: string | undefined;
      /** Only public or only private files. */
      visibility?: Visibility | undefined;
      /** Only files of at least this many bytes. */
      minSize?: number | undefined;
      /** Only files of at most this many bytes. */
      maxSize?: number | undefined;
      /** Only files that were changed at this time or later. */
      updatedSince?: string | undefined;
      /** Only files that were changed before this time. */
      updatedUntil?: string | undefined;
      /**
       * Field to sort the files by. Default: the key of their folder and their name, which is the
       * fastest. `name` compares bytes: `B`, `a1`, `a10`, `a2`. `naturalName` ignores case and
       * accents and compares numbers by value: `a1`, `a2`, `a10`, `B`. `type` is the media type.
       * Equal values are ordered by id.
       */
      orderBy?: OrderBy | undefined;
      /** Only with `orderBy`. Default: `DESC`. Case-insensitive. */
      orderDirection?: OrderDirection | undefined;
      /** `1` counts the results of all pages, up to 10,000. */
      includeTotal?: "0" | "1" | undefined;
      /**
       * Adds to each file what is named, of `digest`, `metadata`, `etag`, `lastingUrl`, `lifetime`.
       * Separated by commas, or repeated.
       */
      include?: readonly ("digest" | "metadata" | "etag" | "lastingUrl" | "lifetime")[] | undefined;
      /** Maximum number of results. Default: 50. */
      limit?: number | undefined;
      /**
       * The `nextCursor` of the previous page, with the same text, folder, filters and order. Empty
       * for the first page.
       */
      cursor?: string | undefined;
    };
    readonly data: {
      files: FileObject[];
      folders: FolderObject[];
      /** The `cursor` of the next page; `null` on the last page. */
      nextCursor: string | null;
      /**
       * With `includeTotal`, the number of files and folders on all pages, otherwise null. 10000
       * stands for 10,000 or more.
       */
      total: number | null;
    };
  };
  /** Follow changes of files and folders. */
  readonly listChanges: {
    readonly query?: {
      /**
       * A `cursor` of this operation: lists the changes after it. Without it the list is empty. In
       * a stream, the header `Last-Event-ID` takes precedence.
       */
      since?: string | undefined;
      /**
       * The id or the key of a folder: only changes of it and of what is in it, at any depth.
       * Something moved out of it appears as deleted, something moved into it as created.
       */
      folder?: string | undefined;
      /** Maximum number of results. Default: 100. */
      limit?: number | undefined;
    };
    readonly data: {
      changes: ChangeObject[];
      /** The `since` of the next request. */
      cursor: string;
      /** True if there are more changes already. */
      more: boolean;
    };
  };
  /** List links. */
  readonly listLinks: {
    readonly query?: {
      /** Maximum number of results. Default: 50. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page, with the same parameters. */
      cursor?: string | undefined;
      /** Only links to the file with this id. */
      fileId?: string | undefined;
      /** Only links to the folder with this id. */
      folderId?: string | undefined;
      /** Only links to the file with this key. */
      key?: string | undefined;
      /** Only links to the folder with this key. */
      folder?: string | undefined;
      /** `1` lists revoked links too. */
      includeRevoked?: "0" | "1" | undefined;
    };
    readonly data: {
      links: LinkObject[];
      /** The `cursor` of the next page; `null` on the last page. */
      nextCursor: string | null;
    };
  };
  /** Create a link for visitors. */
  readonly createLink: {
    readonly body: {
      /** The file to share. */
      fileId?: string | undefined;
      /** The folder to share, with everything in it, or to receive files. */
      folderId?: string | undefined;
      /** The key of the file, instead of `fileId`. */
      key?: string | undefined;
      /** The key of the folder, instead of `folderId`. `/`: the root. */
      folder?: string | undefined;
      /**
       * `read` (default): visitors see the file or folder. `drop`: visitors send files into the
       * folder, and see nothing.
       */
      kind?: "read" | "drop" | undefined;
      /** Shown to visitors in place of the name of the file or folder. */
      title?: string | null | undefined;
      /** Visitors need it. `null`: they need none. */
      password?: string | null | undefined;
      /** When the link ends: UTC, or ISO 8601. `null`: never. */
      expiresAt?: string | null | undefined;
      /** Seconds until the link ends, instead of `expiresAt`. */
      expiresIn?: number | undefined;
      /**
       * Whether the file or folder moves to the trash when the link expires. A key needs the action
       * `delete`.
       */
      deleteAtEnd?: boolean | undefined;
      /**
       * Seconds until a file ends, from when it appears. `null`: never. Default: `expireAfter` of
       * its folder.
       */
      fileExpiresIn?: number | null | undefined;
      /** The same as a time. */
      fileExpiresAt?: string | null | undefined;
      /** How many visits the link is good for from now on. `null`: any number. */
      uses?: number | null | undefined;
      /** Whether visitors get files as downloads only, without previews. Default: false. */
      downloadOnly?: boolean | undefined;
      /**
       * Of a drop link: the most bytes of each set of files that a visitor sends. Visitors may send
       * several sets. `null`: any number.
       */
      maxBytes?: number | null | undefined;
      /**
       * Of a drop link: the most files of each set that a visitor sends. Visitors may send several
       * sets. `null`: any number.
       */
      maxFiles?: number | null | undefined;
    };
    readonly data: {
      link: LinkObject;
    };
  };
  /** Change a link. */
  readonly changeLink: {
    readonly body: {
      /** The link's id. */
      id: string;
      /** Shown to visitors in place of the name of the file or folder. */
      title?: string | null | undefined;
      /** Visitors need it. `null`: they need none. */
      password?: string | null | undefined;
      /** When the link ends: UTC, or ISO 8601. `null`: never. */
      expiresAt?: string | null | undefined;
      /** Seconds until the link ends, instead of `expiresAt`. */
      expiresIn?: number | undefined;
      /**
       * Whether the file or folder moves to the trash when the link expires. A key needs the action
       * `delete`.
       */
      deleteAtEnd?: boolean | undefined;
      /**
       * Seconds until a file ends, from when it appears. `null`: never. Default: `expireAfter` of
       * its folder.
       */
      fileExpiresIn?: number | null | undefined;
      /** The same as a time. */
      fileExpiresAt?: string | null | undefined;
      /** How many visits the link is good for from now on. `null`: any number. */
      uses?: number | null | undefined;
      /** Whether visitors get files as downloads only, without previews. Default: false. */
      downloadOnly?: boolean | undefined;
      /**
       * Of a drop link: the most bytes of each set of files that a visitor sends. Visitors may send
       * several sets. `null`: any number.
       */
      maxBytes?: number | null | undefined;
      /**
       * Of a drop link: the most files of each set that a visitor sends. Visitors may send several
       * sets. `null`: any number.
       */
      maxFiles?: number | null | undefined;
    };
    readonly data: {
      link: LinkObject;
    };
  };
  /** Revoke a link. */
  readonly revokeLink: {
    readonly body: {
      /** The link's id. */
      id: string;
    };
    readonly data: {
      /** The id of the deleted object. */
      deleted: string[];
      link: LinkObject;
    };
  };
  /** List webhooks. */
  readonly listWebhooks: {
    readonly data: {
      webhooks: WebhookObject[];
    };
  };
  /** Create a webhook. */
  readonly createWebhook: {
    readonly body: {
      /** A label that identifies the webhook in lists. */
      name: string;
      /**
       * Where events are sent to, with http:// or https://. Addresses inside your network must be
       * in `OUTGOING_ALLOW`.
       */
      url: string;
      /**
       * The types of events to send; empty: all. `backup.failed` and `scrub.findings` concern the
       * instance.
       */
      kinds?: readonly ("file.created" | "file.replaced" | "file.updated" | "file.moved" | "file.deleted" | "file.restored" | "folder.created" | "folder.updated" | "folder.moved" | "folder.deleted" | "folder.restored" | "backup.failed" | "scrub.findings")[] | undefined;
      /** Only changes in this folder and everything in it, also when it is moved. */
      folderId?: string | undefined;
      /** The key of the folder, instead of its id. `/` is the root. */
      folder?: string | undefined;
      /** False pauses it; events wait, for up to 7 days. */
      active?: boolean | undefined;
    };
    readonly data: {
      webhook: WebhookObject;
      /** Verifies the signatures of deliveries. It is shown only once. */
      secret: string;
    };
  };
  /** Change, pause or resume a webhook. */
  readonly changeWebhook: {
    readonly body: {
      /** The webhook's id. */
      id: string;
      /** A label that identifies the webhook in lists. */
      name?: string | undefined;
      /**
       * Where events are sent to, with http:// or https://. Addresses inside your network must be
       * in `OUTGOING_ALLOW`.
       */
      url?: string | undefined;
      /**
       * The types of events to send; empty: all. `backup.failed` and `scrub.findings` concern the
       * instance.
       */
      kinds?: readonly ("file.created" | "file.replaced" | "file.updated" | "file.moved" | "file.deleted" | "file.restored" | "folder.created" | "folder.updated" | "folder.moved" | "folder.deleted" | "folder.restored" | "backup.failed" | "scrub.findings")[] | undefined;
      /** Only changes in this folder and everything in it, also when it is moved. */
      folderId?: string | undefined;
      /** The key of the folder, instead of its id. `/` is the root. */
      folder?: string | undefined;
      /** False pauses it; events wait, for up to 7 days. */
      active?: boolean | undefined;
    };
    readonly data: {
      webhook: WebhookObject;
    };
  };
  /** Delete a webhook. */
  readonly deleteWebhook: {
    readonly body: {
      /** The webhook's id. */
      id: string;
    };
    readonly data: {
      /** The id of the deleted object. */
      deleted: string[];
    };
  };
  /** Send a test event. */
  readonly testWebhook: {
    readonly body: {
      /** The webhook's id. */
      id: string;
    };
    readonly data: {
      delivery: DeliveryObject;
    };
  };
  /** Send events again. */
  readonly replayWebhook: {
    readonly body: {
      /** The webhook's id. */
      id: string;
      /** Changes from this time on are sent again: UTC, or ISO 8601. */
      since: string;
    };
    readonly data: {
      webhook: WebhookObject;
    };
  };
  /** Rotate the secret of a webhook. */
  readonly rotateWebhook: {
    readonly body: {
      /** The webhook's id. */
      id: string;
      /**
       * Seconds for which deliveries are signed with the old secret, too, at most 604800 (7 days).
       * Default: 86400, a day.
       */
      oldSecretExpiresIn?: number | undefined;
    };
    readonly data: {
      webhook: WebhookObject;
      /** Verifies the signatures of deliveries. It is shown only once. */
      secret: string;
    };
  };
  /** List deliveries of a webhook. */
  readonly listDeliveries: {
    readonly query: {
      /** Identifier of the webhook. */
      id: string;
      /** Maximum number of results. Default: 50. */
      limit?: number | undefined;
      /** The `nextCursor` of the previous page. */
      cursor?: string | undefined;
    };
    readonly data: {
      deliveries: DeliveryObject[];
      /** The `cursor` of the next page; `null` on the last page. */
      nextCursor: string | null;
    };
  };
  /** List API keys. */
  readonly listKeys: {
    readonly data: {
      keys: ApiKeyObject[];
    };
  };
  /** Count the requests of API keys. */
  readonly keyTraffic: {
    readonly data: {
      /** The start of the first day, in UTC. */
      since: Timestamp;
      keys: KeyTrafficObject[];
    };
  };
  /** Create an API key. */
  readonly createKey: {
    readonly body: {
      /** A label that identifies the key in lists. */
      name: string;
      /**
       * What the key may do. `list`: List, find and measure files and folders, and see their
       * details. `read`: Read and download private files. `write`: Upload, replace, rename and move
       * files, create folders, and change visibility. `discard`: Delete files and folders into the
       * trash. Without `delete`, what the key replaces stays as a version, so that all it does can
       * be undone. `delete`: Delete files, folders, versions and the trash permanently. Implies
       * `discard`. `share`: Create signed URLs and links to what the key may read, and links to
       * send files where it may write. `keys`: Create API keys with no more rights than its own,
       * and manage them. `admin`: Everything. Without a folder, also all API keys, the settings and
       * the whole instance's figures. Default: `list`, `read`, `write`, `delete` and `share`, as
       * far as the key that creates it has them; `admin` and `keys` only if they are named. A key
       * that has `discard` without `delete` gives `discard` instead, and `write` only together with
       * it.
       */
      actions?: readonly ("list" | "read" | "write" | "discard" | "delete" | "share" | "keys" | "admin")[] | undefined;
      /**
       * Limits the key to this folder and everything in it, also when the folder is renamed or
       * moved. Default: all folders, or those of the key that creates it.
       */
      folderId?: string | undefined;
      /** The key of an existing folder, instead of its id. Not empty. */
      folder?: string | undefined;
      /**
       * Seconds until the key expires; `null`: never. Default: never, or when the key that creates
       * it expires.
       */
      expiresIn?: number | null | undefined;
      /**
       * When the key expires, instead of `expiresIn`: UTC, or ISO 8601, in the future. `null`:
       * never.
       */
      expiresAt?: string | null | undefined;
    };
    readonly data: {
      key: ApiKeyObject;
      /** The API key to send as `API-Key`. */
      secret: string;
    };
  };
  /** Show the S3 credentials of an API key. */
  readonly revealS3Credentials: {
    readonly body: {
      /** The key's id, not the key itself. */
      id: string;
    };
    readonly data: S3Credentials;
  };
  /** Rename an API key. */
  readonly renameKey: {
    readonly body: {
      /** The key's id, not the key itself. */
      id: string;
      /** A label that identifies the key in lists. */
      name: string;
    };
    readonly data: {
      key: ApiKeyObject;
    };
  };
  /** Rotate an API key. */
  readonly rotateKey: {
    readonly body: {
      /** The key's id, not the key itself. */
      id: string;
      /**
       * Seconds until the old secret stops working, at most 604800 (7 days). Default: 0, at once.
       */
      oldSecretExpiresIn?: number | undefined;
    };
    readonly data: {
      key: ApiKeyObject;
      /** The new API key to send as `API-Key`. It is shown only once. */
      secret: string;
    };
  };
  /** Revoke an API key. */
  readonly revokeKey: {
    readonly body: {
      /** The key's id, not the key itself. */
      id: string;
    };
    readonly data: {
      /** The ids of the revoked keys, beginning with the key itself. */
      deleted: string[];
    };
  };
  /** Create the administrator's account. */
  readonly setup: {
    readonly body: {
      token: string;
      email: string;
      password: string;
    };
    readonly data: {
      account: AccountObject;
    };
  };
  /** Sign in. */
  readonly signIn: {
    readonly body: {
      email: string;
      password: string;
      /** With two-step sign-in: the code that the authenticator app shows, or a recovery code. */
      code?: string | undefined;
    };
    readonly data: {
      account: AccountObject;
    };
  };
  /** Sign out. */
  readonly signOut: {
    readonly data: {
      /**
       * The provider's page that signs out there, too, if the session began with the provider;
       * `null`: there is none.
       */
      url: string | null;
    };
  };
  /** Show the signed-in account. */
  readonly whoAmI: {
    readonly data: {
      account: AccountObject;
      session: SessionObject;
      /**
       * Where a member may work. A request of a member of several names one in the header
       * `Holdall-Space`, or in the query as `space`. Empty for owners, who work everywhere, and for
       * members without grants, who work nowhere.
       */
      spaces: SpaceObject[];
      /**
       * For owners: true if there is another account, an open invitation or a grant. Members get
       * false.
       */
      hasOthers: boolean;
      /**
       * True while `requireSecondFactor` is on and the session has no second factor: it can only
       * turn two-step sign-in on, or add a passkey.
       */
      needsSecondFactor: boolean;
    };
  };
  /** Check whether the administrator's account exists. */
  readonly setupState: {
    readonly data: {
      /** True until the account has been created. */
      needed: boolean;
      /** Whether a password signs in. */
      passwordSignIn: boolean;
      /** Name of the provider that signs in at `/auth/oidc`; `null`: there is none. */
      provider: string | null;
    };
  };
  /** List the account's sessions. */
  readonly listSessions: {
    readonly data: {
      sessions: SessionObject[];
    };
  };
  /** End one session, or all other sessions. */
  readonly endSessions: {
    readonly body: {
      /** The id of a single session to end. */
      id?: string | undefined;
      /** Ends every session except the caller's, instead of `id`. */
      others?: true | undefined;
    };
    readonly data: {
      /** Number of sessions that ended. */
      ended: number;
    };
  };
  /** Change the email address. */
  readonly changeEmail: {
    readonly body: {
      email: string;
      currentPassword: string;
    };
    readonly data: {
      account: AccountObject;
    };
  };
  /** Change the password. */
  readonly changePassword: {
    readonly body: {
      currentPassword: string;
      newPassword: string;
    };
    readonly data: {
      account: AccountObject;
    };
  };
  /** Show whether two-step sign-in is on. */
  readonly secondFactor: {
    readonly data: SecondFactorObject;
  };
  /** Make a secret for an authenticator app. */
  readonly prepareSecondFactor: {
    readonly data: {
      /** 20 bytes in base32, to type into the app. */
      secret: string;
      /** The content of the QR code. */
      uri: string;
    };
  };
  /** Turn two-step sign-in on. */
  readonly enableSecondFactor: {
    readonly body: {
      currentPassword: string;
      /** The secret from `POST /auth/second-factor/secret`. */
      secret: string;
      /** The code that the authenticator app shows for the secret. */
      code: string;
    };
    readonly data: {
      /** Each signs in once instead of a code. They cannot be read again. */
      recoveryCodes: string[];
    };
  };
  /** Turn two-step sign-in off. */
  readonly disableSecondFactor: {
    readonly body: {
      currentPassword: string;
      /** The code that the authenticator app shows, or a recovery code. */
      code: string;
    };
    readonly data: Record<never, never>;
  };
  /** Replace the recovery codes. */
  readonly renewRecoveryCodes: {
    readonly body: {
      currentPassword: string;
      /** The code that the authenticator app shows, or a recovery code. */
      code: string;
    };
    readonly data: {
      /** Each signs in once instead of a code. They cannot be read again. */
      recoveryCodes: string[];
    };
  };
  /** List the account's passkeys. */
  readonly passkeys: {
    readonly data: {
      passkeys: PasskeyObject[];
    };
  };
  /** Get what the browser needs to make a passkey. */
  readonly preparePasskey: {
    readonly body: {
      currentPassword: string;
      /** With two-step sign-in: the code that the authenticator app shows, or a recovery code. */
      code?: string | undefined;
    };
    readonly data: {
      options: PasskeyCreationOptions;
    };
  };
  /** Add a passkey. */
  readonly addPasskey: {
    readonly body: {
      /** `RegistrationResponseJSON` of WebAuthn. */
      response: PasskeyRegistration;
      /** Its name, if the authenticator does not say what it is. Default: `Passkey`. */
      name?: string | undefined;
    };
    readonly data: {
      passkey: PasskeyObject;
    };
  };
  /** Rename a passkey. */
  readonly renamePasskey: {
    readonly body: {
      id: string;
      name: string;
    };
    readonly data: {
      passkey: PasskeyObject;
    };
  };
  /** Remove a passkey. */
  readonly removePasskey: {
    readonly body: {
      id: string;
    };
    readonly data: {
      passkey: PasskeyObject;
    };
  };
  /** Get what the browser needs to sign in with a passkey. */
  readonly passkeySignInOptions: {
    readonly data: {
      /** `null`: no passkey works for this host. */
      options: PasskeyRequestOptions | null;
    };
  };
  /** Sign in with a passkey. */
  readonly signInWithPasskey: {
    readonly body: {
      /** `AuthenticationResponseJSON` of WebAuthn. */
      response: PasskeyAssertion;
    };
    readonly data: {
      account: AccountObject;
    };
  };
  /** Sign in with the provider. */
  readonly beginOidc: {
    readonly query?: {
      /** The path of this server to open afterwards. Default: `/files`. */
      to?: string | undefined;
    };
  };
  /** Accept an invitation with the provider. */
  readonly beginInvitation: {
    readonly body: {
      token: string;
    };
    readonly data: {
      /** The provider's page. */
      url: string;
    };
  };
  /** Come back from the provider. */
  readonly signInWithOidc: Record<never, never>;
  /** Connect the account with the provider. */
  readonly connectIdentity: {
    readonly body: {
      currentPassword: string;
      /** With two-step sign-in: the code that the authenticator app shows, or a recovery code. */
      code?: string | undefined;
    };
    readonly data: {
      /** The provider's page. */
      url: string;
    };
  };
  /** List what the account is connected with. */
  readonly identities: {
    readonly data: {
      identities: IdentityObject[];
    };
  };
  /** Disconnect the account from one at a provider. */
  readonly disconnectIdentity: {
    readonly body: {
      issuer: string;
      subject: string;
    };
    readonly data: Record<never, never>;
  };
  /** List accounts. */
  readonly listAccounts: {
    readonly data: {
      accounts: ListedAccountObject[];
    };
  };
  /** Create an account. */
  readonly createAccount: {
    readonly body: {
      email: string;
      /** Default: a random one, which the response shows. */
      password?: string | undefined;
      /** Default: `member`. */
      role?: "owner" | "member" | undefined;
    };
    readonly data: {
      account: ListedAccountObject;
      /** The random password, which cannot be read again. `null`: none was made. */
      password: string | null;
    };
  };
  /** Change the role of an account, disable or enable it. */
  readonly changeAccount: {
    readonly body: {
      id: string;
      /** `owner`: everything; `member`: what its grants allow. */
      role?: "owner" | "member" | undefined;
      /**
       * `true`: the account cannot sign in, its sessions end, and what it has made reaches nothing
       * until it is enabled.
       */
      disabled?: boolean | undefined;
    };
    readonly data: {
      account: ListedAccountObject;
    };
  };
  /** Remove an account. */
  readonly removeAccount: {
    readonly body: {
      id: string;
    };
    readonly data: {
      /** The id of the account, then those of its API keys. */
      deleted: string[];
      account: AccountObject;
    };
  };
  /** Reset the password or the second factor of an account. */
  readonly resetAccount: {
    readonly body: {
      id: string;
      /** Sets a random password, which the response shows, and ends all sessions. */
      password?: true | undefined;
      /** Turns two-step sign-in off, removes the passkeys, and ends all sessions. */
      secondFactor?: true | undefined;
    };
    readonly data: {
      account: AccountObject;
      /** The random password, which cannot be read again. `null`: none was made. */
      password: string | null;
    };
  };
  /** List open invitations. */
  readonly listInvites: {
    readonly data: {
      invites: InviteObject[];
    };
  };
  /** Invite somebody. */
  readonly createInvite: {
    readonly body: {
      /** Default: `member`. */
      role?: "owner" | "member" | undefined;
      /** Grants of the new member: each with `folderId` or `folder`, and `actions`. */
      grants?: readonly {
        folderId?: string | undefined;
        folder?: string | undefined;
        /** Actions of the member in the folder, as for API keys. */
        actions: readonly ("list" | "read" | "write" | "discard" | "delete" | "share")[];
      }[] | undefined;
      /** Seconds until the link expires, at most 2592000 (30 days). Default: 7 days. */
      expiresIn?: number | undefined;
    };
    readonly data: {
      invite: InviteObject;
      /** The link, relative to the base URL. */
      url: string;
    };
  };
  /** Withdraw an invitation. */
  readonly removeInvite: {
    readonly body: {
      id: string;
    };
    readonly data: {
      deleted: string[];
    };
  };
  /** Check an invitation. */
  readonly readInvite: {
    readonly body: {
      token: string;
    };
    readonly data: {
      invite: {
        /** `owner`: everything; `member`: what its grants allow. */
        role: "owner" | "member";
        /** The email address of the owner; `null`: a command made it. */
        invitedBy: string | null;
        expiresAt: Timestamp;
      };
    };
  };
  /** Accept an invitation. */
  readonly acceptInvite: {
    readonly body: {
      token: string;
      email: string;
      password: string;
    };
    readonly data: {
      account: AccountObject;
    };
  };
  /** List grants. */
  readonly listGrants: {
    readonly data: {
      grants: GrantObject[];
    };
  };
  /** Grant a folder. */
  readonly createGrant: {
    readonly body: {
      /** The member. */
      accountId?: string | undefined;
      /**
       * A group of the provider through which people sign in, instead of one member. Exactly as the
       * provider writes it.
       */
      group?: string | undefined;
      /** The folder's id. */
      folderId?: string | undefined;
      /** The key of the folder, instead of its id. `/`: the root. */
      folder?: string | undefined;
      /** Actions of the member in the folder, as for API keys. */
      actions: readonly ("list" | "read" | "write" | "discard" | "delete" | "share")[];
    };
    readonly data: {
      grant: GrantObject;
    };
  };
  /** Change the actions of a grant. */
  readonly changeGrant: {
    readonly body: {
      id: string;
      /** Actions of the member in the folder, as for API keys. */
      actions: readonly ("list" | "read" | "write" | "discard" | "delete" | "share")[];
    };
    readonly data: {
      grant: GrantObject;
    };
  };
  /** Remove a grant. */
  readonly removeGrant: {
    readonly body: {
      id: string;
    };
    readonly data: {
      deleted: string[];
      grant: GrantObject;
    };
  };
  /** Show storage and traffic. */
  readonly overview: {
    readonly query?: {
      /** Period of the traffic. Default: `day`. */
      period?: Period | undefined;
    };
    readonly data: OverviewObject;
  };
  /** List the audit log. */
  readonly listActivity: {
    readonly query?: {
      /** Maximum number of results. Default: 50. */
      limit?: number | undefined;
      /**
       * Cursor for stable paging: pages do not repeat or skip files when others are added or
       * deleted, and every page costs the same. Empty for the first page, then the `nextCursor` of
       * the previous page, with the same parameters. Cannot be combined with `offset`.
       */
      cursor?: string | undefined;
      /** Only entries with this action. */
      action?: "uploadFiles" | "putContent" | "createUpload" | "fetchFiles" | "createBatch" | "changeFile" | "copyFiles" | "deleteFiles" | "undoChanges" | "signFile" | "createLink" | "changeLink" | "revokeLink" | "receiveFiles" | "download" | "createFolder" | "setQuota" | "changeFolder" | "copyFolder" | "signFolder" | "deleteFolder" | "restoreTrash" | "emptyTrash" | "restoreVersion" | "deleteVersions" | "createKey" | "renameKey" | "rotateKey" | "revokeKey" | "revealS3Credentials" | "createWebhook" | "changeWebhook" | "rotateWebhook" | "replayWebhook" | "deleteWebhook" | "setup" | "signIn" | "signOut" | "endSessions" | "changeEmail" | "changePassword" | "enableSecondFactor" | "disableSecondFactor" | "renewRecoveryCodes" | "signInWithPasskey" | "signInWithOidc" | "connectIdentity" | "disconnectIdentity" | "preparePasskey" | "addPasskey" | "renamePasskey" | "removePasskey" | "createAccount" | "changeAccount" | "removeAccount" | "resetAccount" | "createGrant" | "changeGrant" | "removeGrant" | "createInvite" | "removeInvite" | "acceptInvite" | "clearActivity" | "startScrub" | "changeSettings" | "putLogo" | "removeLogo" | "resetPassword" | undefined;
      /** Only entries of the API key or the account with this id. */
      actor?: string | undefined;
      /**
       * Only entries about the file, folder, API key or link with this id. An entry about several
       * files names one of them.
       */
      subject?: string | undefined;
      /** Only successful or only failed requests. */
      outcome?: "done" | "failed" | undefined;
      /** Only entries from this time on. */
      since?: string | undefined;
      /** Only entries before this time. */
      until?: string | undefined;
      /**
       * Only entries with this text in the subject's key or name, the caller's name or the address,
       * as `q` of the search. With a key with a folder: in the subject's key.
       */
      q?: string | undefined;
      /** Sends all entries as a table, instead of `Accept`. */
      format?: "csv" | "ndjson" | undefined;
    };
    readonly data: {
      activity: ActivityObject[];
      /** The `cursor` of the next page; `null` on the last page. */
      nextCursor: string | null;
    };
  };
  /** Delete entries of the audit log. */
  readonly clearActivity: {
    readonly body: {
      /** Deletes the entries from before this time. */
      before?: string | undefined;
      /** Deletes every entry. */
      all?: true | undefined;
    };
    readonly data: {
      /** Number of deleted entries. */
      deleted: number;
    };
  };
  /** Show the settings. */
  readonly readSettings: {
    readonly data: {
      settings: SettingsObject;
    };
  };
  /** Change settings. */
  readonly changeSettings: {
    readonly body: SettingsChange;
    readonly data: {
      settings: SettingsObject;
    };
  };
  /** Show the logo. */
  readonly readLogo: {
    readonly data: {
      /** `null`: there is none. */
      logo: LogoObject | null;
    };
  };
  /** Set the logo. */
  readonly putLogo: {
    readonly data: {
      /** `null`: there is none. */
      logo: LogoObject | null;
    };
  };
  /** Remove the logo. */
  readonly removeLogo: {
    readonly data: {
      /** `null`: there is none. */
      logo: LogoObject | null;
    };
  };
  /** Check that the service runs. */
  readonly health: {
    readonly data: {
      /** A notice that names the service. */
      message: string;
    };
  };
  /** Check that the service can handle requests. */
  readonly ready: {
    readonly data: {
      ready: true;
      /** What is unavailable although requests are served. Omitted if nothing is. */
      degraded?: string | undefined;
    };
  };
  /** Get this description as OpenAPI 3.1. */
  readonly openapi: Record<never, never>;
  /** Show the state of the instance. */
  readonly healthDetails: {
    readonly data: HealthDetails;
  };
  /** Check all files now. */
  readonly startScrub: {
    readonly data: {
      scrub: HealthScrub;
    };
  };
}

/**
 * A table: paths of operations, and their ids in the columns of their methods. A path without a slash at its
 * start continues the last one that has one. Short, as browsers load it.
 */
export const operationPaths =
  "path,GET,POST,PUT,DELETE,HEAD,PATCH,OPTIONS " +
  "/api/accounts,listAccounts,createAccount,changeAccount,removeAccount " +
  "invite,listInvites,createInvite,,removeInvite " +
  "reset,,resetAccount " +
  "/api/activity,listActivity,,,clearActivity " +
  "/api/batches,,createBatch " +
  "{batch},showBatch,,,dropBatch " +
  "{batch}/commit,,commitBatch " +
  "{batch}/files,,addToBatch " +
  "{batch}/uploads,,createBatchUpload " +
  "/api/changes,listChanges " +
  "/api/files,listFiles,uploadFiles,changeFile,deleteFiles " +
  "content,readContent,,putContent " +
  "copy,,copyFiles " +
  "digest,fileDigest " +
  "download,downloadSelection,downloadFiles " +
  "download/{id},downloadFile " +
  "fetch,,fetchFiles " +
  "lifetime,fileLifetime " +
  "metadata,fileMetadata " +
  "sign,,signFile " +
  "versions,listVersions,,,deleteVersions " +
  "versions/content,downloadVersion " +
  "versions/restore,,restoreVersion " +
  "/api/folders,browseFolder,createFolder,changeFolder,deleteFolder " +
  "copy,,copyFolder " +
  "download,downloadFolder " +
  "quota,readQuotas,,setQuota " +
  "sign,,signFolder " +
  "size,measureFolder " +
  "visibility,readFolderVisibility " +
  "visibility/count,countVisibility " +
  "/api/grants,listGrants,createGrant,changeGrant,removeGrant " +
  "/api/health,health " +
  "details,healthDetails " +
  "ready,ready " +
  "scrub,,startScrub " +
  "/api/hosting/{key*},hostFile " +
  "/api/keys,listKeys,createKey,renameKey,revokeKey " +
  "rotate,,rotateKey " +
  "s3,,revealS3Credentials " +
  "traffic,keyTraffic " +
  "/api/links,listLinks,createLink,changeLink,revokeLink " +
  "/api/openapi.json,openapi " +
  "/api/overview,overview " +
  "/api/search,search " +
  "/api/settings,readSettings,,changeSettings " +
  "logo,readLogo,,putLogo,removeLogo " +
  "/api/trash,listTrash,,,emptyTrash " +
  "restore,,restoreTrash " +
  "/api/undo,,undoChanges " +
  "/api/uploads,,createUpload,,,,,tusFeatures " +
  "{upload},showUpload,,,cancelUpload,uploadState,appendToUpload,uploadOptions " +
  "/api/webhooks,listWebhooks,createWebhook,changeWebhook,deleteWebhook " +
  "deliveries,listDeliveries " +
  "replay,,replayWebhook " +
  "rotate,,rotateWebhook " +
  "test,,testWebhook " +
  "/auth/email,,,changeEmail " +
  "/auth/identities,identities,,,disconnectIdentity " +
  "/auth/invite,,acceptInvite " +
  "check,,readInvite " +
  "/auth/oidc,beginOidc " +
  "callback,signInWithOidc " +
  "connect,,connectIdentity " +
  "invitation,,beginInvitation " +
  "/auth/passkeys,passkeys,addPasskey,renamePasskey,removePasskey " +
  "options,,preparePasskey " +
  "/auth/password,,,changePassword " +
  "/auth/second-factor,secondFactor,enableSecondFactor,,disableSecondFactor " +
  "recovery-codes,,,renewRecoveryCodes " +
  "secret,,prepareSecondFactor " +
  "/auth/session,whoAmI " +
  "/auth/sessions,listSessions,,,endSessions " +
  "/auth/setup,setupState,setup " +
  "/auth/sign-in,,signIn " +
  "passkey,,signInWithPasskey " +
  "passkey/options,,passkeySignInOptions " +
  "/auth/sign-out,,signOut";
