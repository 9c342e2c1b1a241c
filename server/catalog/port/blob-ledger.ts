import type { BlobId, FileRecord, MetadataText, Sha256 } from "../../domain/records.ts";

/**
 * Which blobs are in use. A process leases blocks of 256 blob ids. A blob of a leased block that no
 * record (file, version, open upload, member of a batch, unfinished multipart upload) refers to may still be
 * written; once the lease has expired it is an orphan. A record can name a blob first only under the
 * lease of its block.
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
  /**
   * The blobs of a block that a file (even outside the tree), a version, an open upload, a member of a
   * batch or an unfinished multipart upload refers to, or that are condemned.
   */
  knownBlobs(block: number): Promise<BlobId[]>;
  /**
   * "none" is final: a block is leased once. "due" and "expired" may become "active" again until the lease is
   * "released", which it stays until the block has been swept and its lease ended.
   */
  leaseState(block: number): Promise<LeaseState>;
  /**
   * Takes the lease from its owner. Once this resolves, every earlier addFiles with blobs of the
   * block has finished, and no later one will succeed.
   */
  releaseLease(block: number): Promise<void>;
  /**
   * Does the same for all leases of an owner whose process has exited, and frees the uploads that it
   * was writing to.
   */
  releaseLeasesOf(owner: string): Promise<void>;
  /** Idempotent. */
  endLease(block: number): Promise<void>;
  /**
   * Ends the lease of a swept block, but remembers the block until `endLease`: the store may still carry
   * out writes of its dead owner.
   */
  closeBlock(block: number): Promise<void>;
  /** The blocks that were closed more than `CLOSED_SECONDS` ago, to be swept once more. */
  blocksClosedLongAgo(): Promise<number[]>;
  /**
   * Continues to empty removed folders: condemns the blobs of at most `limit` files. Returns false
   * when nothing is left to do. Must be called until then after every removal and after a crash.
   */
  emptyRemovedFolders(limit: number): Promise<boolean>;
  /**
   * Blobs whose record is gone and whose bytes are to be removed, unless `hasBackupHold`; oldest first.
   * Never a blob that a record still refers to.
   */
  condemnedBlobs(limit: number): Promise<BlobId[]>;
  /** Returns the blobs that a record still refers to, so that their bytes must stay. */
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

  /**
   * Blobs of files in the tree and in the trash, and of versions, ascending from `after` (exclusive), for
   * checking the store.
   */
  blobsAfter(after: number, limit: number): Promise<StoredBlob[]>;
  /**
   * Adds digests that were computed after the upload, if the file or a version of it still has that
   * blob and no digest.
   * `updatedAt` stays as it is.
   */
  addDigests(digests: readonly NewDigest[]): Promise<void>;
  /**
   * Adds a charset that was found in the content, like `addDigests`, if the file still has the type and metadata that
   * it was found with. `fileId` may be the id of a version.
   */
  addCharset(found: NewCharset): Promise<void>;
  /** The number and the sizes of the blobs that `blobsAfter` lists. */
  storedTotals(): Promise<{ files: number; bytes: number }>;
  /**
   * The record of the file with this blob. A file in the trash has the key that it had in the tree. If a
   * version has the blob, the record is its file's with the content of the version.
   */
  recordOfBlob(id: BlobId): Promise<FileRecord | undefined>;
  /**
   * Removes records whose bytes are lost, without condemning the blobs, if the file or a version of it
   * still has that blob. The versions of a removed file are condemned. Returns the blobs of the removed
   * records.
   */
  dropRecords(blobs: readonly { fileId: string; blobId: BlobId }[]): Promise<BlobId[]>;
}

export interface StoredBlob {
  readonly blobId: BlobId;
  readonly size: number;
  readonly checksum: number;
  readonly sha256: Sha256 | null;
  /** The file that has this content, or had it in a version. */
  readonly fileId: string;
}

export interface NewCharset {
  readonly fileId: string;
  readonly blobId: BlobId;
  readonly mimeType: string;
  readonly metadata: MetadataText | null;
  readonly charset: string;
}

export interface NewDigest {
  readonly fileId: string;
  readonly blobId: BlobId;
  readonly sha256: Sha256;
}

/** "due": has expired so recently that a running server may not have swept the block yet. */
export type LeaseState = "active" | "due" | "expired" | "released" | "closed" | "none";

/** A lease that was not renewed for this long has expired. */
export const LEASE_SECONDS = 30;

/** A store has carried out or dropped every write after this long. */
export const CLOSED_SECONDS = 24 * 3600;

/**
 * Prefix of lease owners that are commands: they may run while a server starts, so their leases
 * expire by the clock only.
 */
export const CLI_LEASE_PREFIX = "beside ";

/** The space of the catalog. */
export interface CatalogVolume {
  /** In bytes; null: unknown. */
  catalogSize(): Promise<number | null>;
  /**
   * Bytes of the disk reserve that were released because the volume is full, and that the catalog
   * takes back as soon as possible. Nothing else may be stored in them. 0: the catalog is not on this
   * machine.
   */
  missingReserve(): number;
}
