import type { Charset } from "../../contract/text/charset.ts";

/**
 * The core types of the service. Only `domain/` creates the branded ones: a value of type `Name`, `Key`
 * or `BlobId` has been validated.
 */

/** A file's or folder's name: one path segment, NFC, 1 to 255 bytes of UTF-8. */
export type Name = string & { readonly __brand: "Name" };

/** A path of names joined by "/", relative to the storage root. The root's key is "". */
export type Key = string & { readonly __brand: "Key" };

/** Identifies stored bytes: block × 256 + position in the block. Never reused, independent of names. */
export type BlobId = number & { readonly __brand: "BlobId" };

/** The SHA-256 of a content: 64 lower-case hexadecimal digits. */
export type Sha256 = string & { readonly __brand: "Sha256" };

/** JSON of a file's metadata, as `changeMetadata` makes it. */
export type MetadataText = string & { readonly __brand: "MetadataText" };

/** JSON of `S3Attributes`. */
export type S3Text = string & { readonly __brand: "S3Text" };

export type Visibility = "public" | "private";

/** Milliseconds since the Unix epoch. */
export type Millis = number;

export interface FileRecord {
  readonly id: string;
  readonly folderId: string;
  readonly name: Name;
  readonly key: Key;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  readonly visibility: Visibility;
  readonly blobId: BlobId;
  /** CRC-32 of the content, unsigned. */
  readonly checksum: number;
  /** null: not computed yet, as the file is from an older version. */
  readonly sha256: Sha256 | null;
  /** null: none. */
  readonly metadata: MetadataText | null;
  /** null: the content was not stored through the S3 API. */
  readonly s3: S3Text | null;
  /** The charset of a text. */
  readonly charset: Charset;
  /**
   * When the content was stored, or metadata changed as `needsNewValidators` says; unaffected by
   * renames and visibility. Validators derive from it.
   */
  readonly modifiedAt: Millis;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
  /** From then on it is missing; null: it does not end. */
  readonly expiresAt: Millis | null;
}

export interface FolderRecord {
  readonly id: string;
  /** "" for the root only. */
  readonly name: Name | "";
  readonly key: Key;
  /** null for the root only. */
  readonly parentId: string | null;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
  /** The visibility of new files in it whose upload names none. null: the same as in its parent. */
  readonly defaultVisibility: Visibility | null;
  /** `defaultVisibility`, or that of the nearest folder above that has one. null: that of the instance. */
  readonly inheritedVisibility: Visibility | null;
  /** Seconds after which new files in it end whose upload sets no lifetime; 0: never. null: the same as in its parent. */
  readonly expireAfter: number | null;
  /** `expireAfter`, or that of the nearest folder above that has one. null: never. */
  readonly inheritedExpireAfter: number | null;
}

export interface PeekedFolder extends FolderRecord {
  /** The first four files directly in the folder, by natural name. */
  readonly peek: readonly FileRecord[];
}

export interface BranchingFolder extends FolderRecord {
  readonly hasFolders: boolean;
}

/** A file whose blob is stored durably but which is not in the catalog yet. */
export interface NewFile {
  readonly name: Name;
  readonly mimeType: string;
  readonly size: number;
  readonly blobId: BlobId;
  readonly checksum: number;
  readonly sha256: Sha256 | null;
  /** Default: null, as in `FileRecord`. */
  readonly s3?: S3Text | null;
  /** Default: null. */
  readonly charset?: Charset;
}

export const ORDERS = ["createdAt", "updatedAt", "name", "naturalName", "size", "type"] as const;
export type Order = (typeof ORDERS)[number];

/** A keyset position in a list: after the file with this id and this value of the order's column. */
export interface ListPosition {
  /** null for `createdAt`, where the id alone gives the order. */
  readonly value: string | number | null;
  readonly id: string;
}

/** A page of a list, and the list's order. Ties are broken by id in the same direction. */
export interface Page {
  readonly orderBy: Order;
  readonly direction: "ASC" | "DESC";
  readonly offset: number;
  /** Where the page starts; `offset` is counted from there. Default: the start of the list. */
  readonly after?: ListPosition;
  /** null: no limit. */
  readonly limit: number | null;
}

/** What an API key may be allowed to do, in the order in which keys list it. */
export const KEY_ACTIONS = [
  "list",
  "read",
  "write",
  "discard",
  "delete",
  "share",
  "keys",
  "admin",
] as const;
/** `admin` implies every action, `delete` implies `discard`. */
export type KeyAction = (typeof KEY_ACTIONS)[number];

export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  /** The first characters of the key, by which users recognize it. */
  readonly prefix: string;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | null;
  /** null: never. */
  readonly expiresAt: Millis | null;
  readonly actions: readonly KeyAction[];
  /**
   * The ids of the folders that limit the key: first its own, then those of the keys that it
   * descends from, each once. Empty: it is for all folders.
   */
  readonly folderIds: readonly string[];
  /** The key that created it and that ends it; null: no key does. */
  readonly parentId: string | null;
  /** How often its secret was replaced. */
  readonly secretVersion: number;
  /** Until when the secret before the current one is accepted; null: there was none. */
  readonly oldSecretEndsAt: Millis | null;
  /** The account that it, or the key that it descends from, was made by: it may do no more. Left out: none. */
  readonly accountId?: string | undefined;
}

/** owner: everything; member: what its grants allow. */
export const ROLES = ["owner", "member"] as const;
export type Role = (typeof ROLES)[number];

/** How a session began. */
export type SignInMethod = "password" | "passkey" | "oidc";

export interface AccountRecord {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  /** argon2id, in PHC string format. Empty: no password signs in. */
  readonly passwordHash: string;
  readonly createdAt: Millis;
  readonly role: Role;
  /** null: it is not disabled. */
  readonly disabledAt: Millis | null;
  /** Its groups at the provider when it last signed in there, which count for what it has made. */
  readonly groups: readonly string[];
  /** Whether two-step sign-in is on. */
  readonly hasSecondFactor: boolean;
}

export interface SessionRecord {
  readonly id: string;
  readonly accountId: string;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAt: Millis;
  readonly lastSeenAt: Millis;
  readonly expiresAt: Millis;
  readonly method: SignInMethod;
  /** The groups of the account at the provider, which count for this session. */
  readonly groups: readonly string[];
}

/** A passkey of an account (WebAuthn). */
export interface PasskeyRecord {
  readonly id: string;
  readonly accountId: string;
  /** Chosen by the authenticator, in base64url. */
  readonly credentialId: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** How many signatures the authenticator has counted; 0: it does not count. */
  readonly counter: number;
  /** How browsers reach the authenticator, such as `internal` or `usb`. */
  readonly transports: readonly string[];
  /** Whether it may exist on several devices; fixed. */
  readonly canSync: boolean;
  /** Whether it was backed up or synced when it was last used. */
  readonly isSynced: boolean;
  /** The relying party's id: the host name of the pages where it works. */
  readonly host: string;
  readonly name: string;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | null;
}

/** Requests that an API key has authenticated. */
export interface KeyTotals {
  readonly keyId: string;
  readonly requests: number;
  /** Bytes of file content. */
  readonly bytes: number;
  /** Requests with a status of 400 or above. */
  readonly errors: number;
}

/** Requests and bytes of one hour. */
export interface HourlyTraffic {
  /** The start of the hour. */
  readonly hour: Millis;
  readonly requests: number;
  /** Bytes of file content. */
  readonly bytes: number;
  /** Requests with a status of 400 or above. */
  readonly errors: number;
  /** By status, in their order. Their sum is less than `errors` where earlier versions of Holdall counted. */
  readonly errorsByStatus: readonly StatusCount[];
}

export interface StatusCount {
  readonly status: number;
  readonly requests: number;
}

export interface RequestedFile {
  readonly file: FileRecord;
  readonly requests: number;
  readonly bytes: number;
}
