import type { MaybePromise } from "../rules/maybe-promise.ts";
import type { BlobId } from "../rules/records.ts";

/*
 * Bytes under opaque ids. A blob is written once, never changed and never moved.
 * Faults: "no_space" when the store is full; "unavailable" when it cannot be reached.
 */
export interface Blobs {
  /**
   * Starts a blob. The id must be new: writing an id that exists is a bug and throws.
   * Nothing is promised of the bytes until `seal` has resolved.
   */
  create(id: BlobId): Promise<BlobWriter>;
  /** What to hand to the runtime, or undefined when no bytes of exactly this size are there. */
  read(id: BlobId, size: number, slice?: Slice): MaybePromise<BlobBody | undefined>;
  /**
   * Removes for good: once it resolves, the bytes do not come back after a power cut. Removing
   * what is absent is not an error. A read that began before goes on to its end.
   */
  remove(ids: readonly BlobId[]): Promise<void>;
  /**
   * Resolves when nothing that is gone from the block at the call comes back after a power cut. For
   * whoever ends the block's lease: from then on nobody looks for it.
   */
  settleBlock(block: number): Promise<void>;
  /** Every blob of a block that is there in any state, whole or not. For sweeping one block. */
  listBlock(block: number): Promise<BlobId[]>;
  /** Every block that is there, in no order. For `verify`. */
  listBlocks(): AsyncIterable<number>;
  /** Bytes that may still be written, or null when the store has no bound that it could tell. */
  freeSpace(): Promise<number | null>;
  /** Resolves when the store answers. Rejects, as the store sees fit, when it does not. */
  reach(): Promise<void>;
}

/** A store that clients may read by themselves. */
export interface BlobLinks {
  /** An address that gives the bytes of a blob to anyone for so many seconds; ranges are its own affair. */
  linkTo(id: BlobId, link: BlobLink): Promise<string>;
}

export interface BlobLink {
  readonly seconds: number;
  /** What the answer's headers are to say. */
  readonly contentType: string;
  readonly disposition: string;
  readonly cacheControl: string;
}

/**
 * A second look at the store, for `verify`: at every byte, and at whatever else lies there. A
 * place is the store's own name of where something lies, as one line of text for people.
 */
export interface BlobInspection {
  /**
   * Hands over every byte in order, in chunks that may be reused once `take` has resolved.
   * "absent": nothing is there, or what is there is no blob. "unreadable": the medium does not give
   * all of it back.
   */
  scan(id: BlobId, take: TakeChunk): Promise<"whole" | "absent" | "unreadable">;
  /** In bytes, without reading them; undefined when nothing is there, or what is there is no blob. */
  sizeOf(id: BlobId): Promise<number | undefined>;
  placeOf(id: BlobId): string;
  /** The places of whatever lies in the store under no name of ours, in no order. */
  listStrange(): AsyncIterable<string>;
  /** Whether anything at all lies at the place. */
  isThere(place: string): Promise<boolean>;
  /**
   * Moves what lies at these places into the quarantine of this name, where nothing reads,
   * overwrites or removes it. Whenever it is interrupted, everything is here or there, whole.
   * Resolves, once that survives a power cut, with those that were moved; what is not there any
   * more is left out.
   */
  setAside(places: readonly string[], quarantine: string): Promise<string[]>;
}

export type TakeChunk = (chunk: Uint8Array) => Promise<void> | void;

export interface BlobWriter {
  /** Resolves when the next chunk may come. The chunk may be reused after that. */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the blob: when it resolves, the bytes and their place survive a power cut. */
  seal(): Promise<void>;
  /**
   * Gives up at any point before or after `seal` and removes what was written, though not for good
   * before `settleBlock`. Never throws.
   * false: it could not be removed, so that whoever sweeps the block must.
   */
  discard(): Promise<boolean>;
}

/**
 * Copies of another store's blobs, under the ids that they have there: a backup, or what comes back
 * from one. Nobody else may write to the store meanwhile. Faults as of `Blobs`.
 */
export interface BlobCopies {
  /** Whether a copy of so many bytes is in its place. What is in its place is whole. */
  has(id: BlobId, size: number): Promise<boolean>;
  /**
   * Starts a copy. Some time after `seal`, together with others, it gets into its place and
   * replaces what is there; it never is there half.
   */
  create(id: BlobId): Promise<BlobWriter>;
  /** When it resolves, every copy that was sealed before the call is in its place. */
  place(): Promise<void>;
  /** When it resolves, what is in its place in this block survives a power cut. */
  settle(block: number): Promise<void>;
  /** Ends the copying: settles the store, and clears away what interrupted copies have left. */
  close(): Promise<void>;
}

/** Bytes [start, end). */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/** A body that `new Response` sends without holding it in memory, and with its length known. */
export type BlobBody = Blob | ReadableStream<Uint8Array>;
