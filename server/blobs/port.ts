import type { BlobId, FileRecord } from "../domain/records.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";

/*
 * Stores bytes under opaque ids. A blob is written once, never changed and never moved. A growing blob
 * is appended to until it is sealed.
 * Faults: "no_space" when the store is full; "unavailable" when it cannot be reached.
 */
export interface Blobs extends GrowingBlobs, AssembledBlobs {
  /**
   * Starts a blob. The id must be new: writing an id that exists is a bug and throws.
   * The bytes are not durable until `seal` has resolved.
   */
  create(id: BlobId): Promise<BlobWriter>;
  /**
   * A response body; undefined: the blob is absent or has another size. `content` lets a cache compare
   * the bytes that it keeps, for which it throws fault "unavailable" if they differ.
   */
  read(
    id: BlobId,
    size: number,
    slice?: Slice,
    content?: StoredContent,
  ): MaybePromise<BlobBody | undefined>;
  /**
   * Like `read`, for a body that becomes a response at once: bytes are valid until anything else runs.
   * `new Response` copies them into memory that is freed once they are sent. The memory of a `Blob` waits
   * for a garbage collection: with it, a range of 64 KB took a fifth longer.
   */
  borrow(
    id: BlobId,
    size: number,
    slice?: Slice,
    content?: StoredContent,
  ): MaybePromise<BorrowedBody | undefined>;
  /**
   * Removes finished blobs durably: they stay removed after a power cut. Removing an absent blob is not
   * an error. A read in progress still receives the whole blob.
   */
  remove(ids: readonly BlobId[]): Promise<void>;
  /**
   * Makes earlier removals from the block durable, and aborts its unfinished multipart uploads except
   * those of `known` blobs, which may be growing. Call this before the lease ends: nothing sweeps the
   * block afterwards.
   */
  flushBlock(block: number, known: ReadonlySet<BlobId>): Promise<void>;
  /**
   * Marks blobs whose record is committed, so that `committedAmong` finds them even if the catalog
   * loses the record. Best effort, without a sync: marks survive the end of the process, except those
   * of its last 50 ms; the last seconds before a power cut may be missing. Never throws.
   */
  markCommitted(ids: readonly BlobId[]): Promise<void>;
  /** The marked blobs among these. Always empty for a store that cannot mark. */
  committedAmong(ids: readonly BlobId[]): Promise<BlobId[]>;
  /** Every blob of a block, finished or not, for sweeping the block. */
  listBlock(block: number): Promise<BlobId[]>;
  /** Whether the store may carry out a write after its writer has died or given up. */
  readonly mayWriteLate: boolean;
  /** Every block, in no particular order, for `verify`. */
  listBlocks(): AsyncIterable<number>;
  /** In bytes; null: unknown. */
  freeSpace(): Promise<number | null>;
  /** Checks that the store answers, for readiness. Rejects when it does not. */
  ping(): Promise<void>;
}

/** The record of a blob's content, as far as it says what the bytes must be. */
export type StoredContent = Pick<FileRecord, "id" | "key" | "checksum" | "sha256">;

/** A read found bytes that are not those of the record. Has the fields of a finding of the scrub. */
export interface DamagedRead extends StoredContent {
  readonly type: "damaged";
  /** "digest": the SHA-256 differs. "checksum": the CRC-32 does, and the file has no SHA-256. */
  readonly reason: "checksum" | "digest";
  readonly blobId: BlobId;
  /** In bytes. */
  readonly size: number;
  readonly found: { readonly size: number; readonly checksum: number; readonly sha256: string };
}

/** A store that clients can download from directly. */
export interface BlobPresigner {
  /** A presigned URL: anyone can read the blob with it until it expires. The store serves ranges. */
  presignedUrl(id: BlobId, link: PresignOptions): string;
}

export interface PresignOptions {
  readonly seconds: number;
  /** The response headers that the store sends. */
  readonly contentType: string;
  readonly disposition: string;
  readonly cacheControl: string;
  readonly contentLanguage?: string | undefined;
  readonly contentEncoding?: string | undefined;
}

/**
 * Inspects the store for `verify`: every byte, and everything that is not a blob. A place is a path
 * or an object key in the store, as one line of readable text.
 */
export interface BlobInspection {
  /**
   * Passes every byte to `take` in order, in chunks that may be reused once `take` has resolved.
   * "absent": the store says that there is nothing, or something that is not a blob. "unreadable":
   * reading this blob failed, which may pass: nothing is known about its content. Faults: "unavailable":
   * the store refuses reads, or cannot be reached.
   */
  scan(id: BlobId, take: TakeChunk): Promise<"whole" | "absent" | "unreadable">;
  /**
   * In bytes, without reading the content; undefined: the store says that it is absent, or not a blob.
   * Throws when it cannot tell.
   */
  sizeOf(id: BlobId): Promise<number | undefined>;
  placeOf(id: BlobId): string;
  /** The places of everything whose name is not a blob's, in no particular order. */
  listUnrecognized(): AsyncIterable<string>;
  /** Whether anything is at the place. */
  exists(place: string): Promise<boolean>;
  /**
   * Moves these places into the quarantine of this name, where nothing reads, overwrites or removes
   * them. After an interruption, each is complete at its old or its new place. Resolves, once durable,
   * with the places that were moved, without those that no longer exist.
   */
  moveToQuarantine(places: readonly string[], quarantine: string): Promise<string[]>;
}

export type TakeChunk = (chunk: Uint8Array) => Promise<void> | void;

export interface BlobWriter {
  /** Resolves when the next chunk can be written; then the caller may reuse this one. */
  write(chunk: Uint8Array): Promise<void>;
  /** Completes the blob. Once this resolves, the blob survives a power cut. */
  seal(): Promise<void>;
  /**
   * Removes the blob, before or after `seal`; durable only after `flushBlock`. Never throws. false: the
   * removal failed, so the block must be swept.
   */
  discard(): Promise<boolean>;
}

/** A store whose blobs can be written over several requests. */
export interface GrowingBlobs {
  /**
   * Opens an unfinished blob that is written over several requests, by one process after another. At
   * offset 0 the blob is started. Everything after the last checkpoint is cut off. The caller ensures that
   * only one process writes the blob; within the process, a second `grow` ends the first.
   * Fault `LostBytes`: bytes before `offset` are lost.
   */
  grow(id: BlobId, from: GrowthStart): Promise<GrowingBlob>;
  /** As `remove`, also for blobs that may still grow. */
  removeGrowing(ids: readonly BlobId[]): Promise<void>;
}

/** A store whose blobs can be made of pieces of others. */
export interface AssembledBlobs {
  /** null: the store cannot write a blob at several places. */
  readonly partsInPlace: PartsInPlace | null;
  /**
   * Makes a blob of pieces of finished blobs, in order; copied by the store where it can. The blob
   * survives a power cut. The id must be new. Fault "gone": a piece is absent. After a failure, the
   * block must be swept.
   */
  assemble(id: BlobId, pieces: readonly BlobPiece[]): Promise<void>;
}

/** Unfinished blobs whose parts are written at their places, by several writers at once. */
export interface PartsInPlace {
  /** Starts a blob durably. The id must be new. */
  begin(id: BlobId): Promise<void>;
  /**
   * Writes a part from `offset` on. It survives a power cut once `seal` has resolved; `discard` leaves
   * any bytes there. Fault "gone": the blob was not started, or is removed.
   */
  write(id: BlobId, offset: number): Promise<BlobWriter>;
  /**
   * Completes a blob: cuts it to `size`. It survives a power cut. May be done again. Fault "gone": it
   * has less bytes, or is removed.
   */
  complete(id: BlobId, size: number): Promise<void>;
}

/** A part of a finished blob that is not empty. */
export interface BlobPiece extends Slice {
  readonly blobId: BlobId;
}

/** The last checkpoint of a growing blob that the caller has recorded. */
export interface GrowthStart {
  /** The number of bytes that the caller has recorded as durable. 0: nothing. */
  readonly offset: number;
  /** `growth` of the checkpoint; null: none yet. */
  readonly growth: string | null;
}

/**
 * A blob that is not finished. After a fault or an error of any call, only `close` and `discard` are
 * possible; the last checkpoint is unaffected.
 */
export interface GrowingBlob {
  /**
   * The number of bytes that the blob has now: the given offset, without the rest that the store could
   * not append. The caller writes the bytes from here on, so first the rest that it has kept.
   */
  readonly start: number;
  /** Resolves when the next chunk can be written; then the caller may reuse this one. */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Makes the chunks written before the call durable. Others may be written meanwhile; they are not part
   * of this checkpoint.
   */
  checkpoint(): Promise<Checkpoint>;
  /**
   * Passes the rest of the last checkpoint to `take`, to be kept as a blob of its own. Call this before
   * the next write or seal.
   */
  readRest(take: TakeChunk): Promise<void>;
  /** As of BlobWriter: the blob is complete, and survives a power cut. It no longer grows. */
  seal(): Promise<void>;
  /** Ends the work on the blob and removes nothing. Idempotent. Never throws. */
  close(): Promise<void>;
  /**
   * Closes and removes the blob, before or after `seal`; durable only after `flushBlock`. Never throws.
   * false: the removal failed. Only for the process that may write the blob: another one may have
   * continued it.
   */
  discard(): Promise<boolean>;
}

export interface Checkpoint {
  /** The blob's first bytes that survive a power cut, for `grow` together with `growth`. */
  readonly stored: number;
  /** State of the store for `grow`; null: it needs none. */
  readonly growth: string | null;
  /**
   * The number of bytes after `stored` that the store cannot append yet, such as less than a part of a
   * multipart upload. A disk has none. The caller keeps them (see `readRest`) or receives them again.
   */
  readonly rest: number;
}

/**
 * Stores copies of another store's blobs under the same ids, for backup, restore and move. Nothing
 * else may write to the store at the same time. Faults: same as `Blobs`.
 */
export interface BlobCopies {
  /** Whether a complete copy of this size exists. */
  has(id: BlobId, size: number): Promise<boolean>;
  /**
   * Starts a copy. After `seal` it is published in a batch with others, and atomically replaces an
   * existing blob.
   */
  create(id: BlobId): Promise<BlobWriter>;
  /** Publishes every copy sealed before the call. */
  place(): Promise<void>;
  /** Makes the copies in this block survive a power cut. */
  flushBlock(block: number): Promise<void>;
  /** Publishes sealed copies, flushes the store and removes unfinished copies. */
  close(): Promise<void>;
}

/** Bytes [start, end). */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** A body for `new Response`, which streams it. */
export type BlobBody = Blob | ReadableStream<Uint8Array>;

/** See `Blobs.borrow`. */
export type BorrowedBody = BlobBody | Uint8Array<ArrayBuffer>;
