/**
 * The core types of the service, all in one place. Only `rules/` makes the branded ones:
 * a value of type `Name`, `Key` or `BlobId` has been checked and needs no second check.
 */

/** A file's or folder's name: one path segment, NFC, 1 to 255 bytes of UTF-8. */
export type Name = string & { readonly __brand: "Name" };

/** A path of names joined by "/", relative to the storage root. The root's key is "". */
export type Key = string & { readonly __brand: "Key" };

/** Where bytes live: block × 256 + position in the block. Never reused, says nothing of names. */
export type BlobId = number & { readonly __brand: "BlobId" };

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
  /** When the content was stored; renames and visibility leave it alone. Validators derive from it. */
  readonly modifiedAt: Millis;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
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
}

/** A file whose bytes are safely stored but which no folder shows yet. */
export interface NewFile {
  readonly name: Name;
  readonly mimeType: string;
  readonly size: number;
  readonly blobId: BlobId;
  readonly checksum: number;
}

export const ORDERS = ["createdAt", "updatedAt", "name", "size", "type"] as const;
export type Order = (typeof ORDERS)[number];

/** A keyset position in a list: after the file with this id and this value of the order's column. */
export interface ListPosition {
  /** null for `createdAt`, where the id alone gives the order. */
  readonly value: string | number | null;
  readonly id: string;
}

/** Which part of a list, in which order. Ties are broken by id in the same direction. */
export interface Page {
  readonly orderBy: Order;
  readonly direction: "ASC" | "DESC";
  readonly offset: number;
  /** Where the list begins; the offset is counted from there. Default: with its first file. */
  readonly after?: ListPosition;
  /** null: no limit. */
  readonly limit: number | null;
}

export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  /** The first characters of the key, for people to tell keys apart. */
  readonly prefix: string;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | null;
  /** null: never. */
  readonly expiresAt: Millis | null;
}

export interface AccountRecord {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  /** argon2id, in PHC string format. */
  readonly passwordHash: string;
  readonly createdAt: Millis;
}

export interface SessionRecord {
  readonly id: string;
  readonly accountId: string;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAt: Millis;
  readonly lastSeenAt: Millis;
  readonly expiresAt: Millis;
}

/** Requests and bytes of one hour. */
export interface HourlyTraffic {
  /** Its beginning. */
  readonly hour: Millis;
  readonly requests: number;
  /** Of files. */
  readonly bytes: number;
  /** Requests that were answered 400 and above. */
  readonly errors: number;
}
