import type { MaybePromise } from "../rules/maybe-promise.ts";
import type { BlobId } from "../rules/records.ts";

/*
 * Bytes under opaque ids. A blob is written once, never changed and never moved.
 * Faults: "no_space" when the store is full; "unavailable" when it cannot be reached.
 */
export interface Blobs {
  /**
   * Starts a blob. The id must be new: writing an id that exists is a bug and throws.
   * The bytes are not durable until `seal` has resolved.
   */
  create(id: BlobId): Promise<BlobWriter>;
  /** A body for the runtime; undefined when the blob is absent or has another size. */
  read(id: BlobId, size: number, slice?: Slice): MaybePromise<BlobBody | undefined>;
  /**
   * Removes durably: the bytes do not come back after a power cut. Removing an absent blob is not an
   * error. A read in progress still reads to its end.
   */
  remove(ids: readonly BlobId[]): Promise<void>;
  /**
   * Makes earlier removals from the block durable and aborts its unfinished multipart uploads. Call
   * this before the lease ends: nothing sweeps the block afterwards.
   */
  flushBlock(block: number): Promise<void>;
  /** Every blob of a block, finished or not. For sweeping one block. */
  listBlock(block: number): Promise<BlobId[]>;
  /** Every block, in no order. For `verify`. */
  listBlocks(): AsyncIterable<number>;
  /** Bytes that may still be written; null: unknown. */
  freeSpace(): Promise<number | null>;
  /** Checks that the store answers, for readiness. Rejects when it does not. */
  ping(): Promise<void>;
}

/** A store that clients can download from directly. */
export interface BlobPresigner {
  /** A presigned URL: anyone can read the blob with it until it expires. The store serves ranges. */
  presignedUrl(id: BlobId, link: PresignOptions): Promise<string>;
}

export interface PresignOptions {
  readonly seconds: number;
  /** Headers of the store's response. */
  readonly contentType: string;
  readonly disposition: string;
  readonly cacheControl: string;
}

/**
 * Inspects the store, for `verify`: every byte, and everything that is not a blob. A place is the
 * store's name for a location, as one line of readable text.
 */
export interface BlobInspection {
  /**
   * Passes every byte to `take` in order, in chunks that may be reused once `take` has resolved.
   * "absent": there is nothing, or something that is not a blob. "unreadable": reading failed.
   */
  scan(id: BlobId, take: TakeChunk): Promise<"whole" | "absent" | "unreadable">;
  /** In bytes, without reading them; undefined: absent, or not a blob. */
  sizeOf(id: BlobId): Promise<number | undefined>;
  placeOf(id: BlobId): string;
  /** The places of everything whose name is not a blob's, in no order. */
  listUnrecognized(): AsyncIterable<string>;
  /** Whether anything is at the place. */
  exists(place: string): Promise<boolean>;
  /**
   * Moves these places into the quarantine of this name, where nothing reads, overwrites or removes
   * them. If it is interrupted, each is whole at the old or the new place. Resolves, once durable,
   * with the places that were moved; places that no longer exist are left out.
   */
  moveToQuarantine(places: readonly string[], quarantine: string): Promise<string[]>;
}

export type TakeChunk = (chunk: Uint8Array) => Promise<void> | void;

export interface BlobWriter {
  /** Resolves when the next chunk can be written. The caller may reuse the chunk then. */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the blob. When it resolves, the bytes and their place survive a power cut. */
  seal(): Promise<void>;
  /**
   * Removes what was written, before or after `seal`; durably only with `flushBlock`. Never throws.
   * false: it could not be removed, so the block must be swept.
   */
  discard(): Promise<boolean>;
}

/**
 * Copies of another store's blobs under the same ids: for backup, restore and move. Nothing else may
 * write to the store at the same time. Faults as of `Blobs`.
 */
export interface BlobCopies {
  /** Whether a copy of this size is in its place. A copy in its place is complete. */
  has(id: BlobId, size: number): Promise<boolean>;
  /**
   * Starts a copy. After `seal` it is moved into its place, together with others, and atomically
   * replaces what is there.
   */
  create(id: BlobId): Promise<BlobWriter>;
  /** When it resolves, every copy that was sealed before the call is in its place. */
  place(): Promise<void>;
  /** When it resolves, the copies in this block survive a power cut. */
  flushBlock(block: number): Promise<void>;
  /** Ends the copying: flushes the store and removes unfinished copies. */
  close(): Promise<void>;
}

/** Bytes [start, end). */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** A body that `new Response` sends without holding it in memory. */
export type BlobBody = Blob | ReadableStream<Uint8Array>;
