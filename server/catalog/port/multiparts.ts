import type { ChangedBy } from "../../domain/callers/caller.ts";
import type { BlobId, FileRecord, Key, Millis, NewFile, S3Text } from "../../domain/records.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { MultipartRecord, PartContent, PartRecord } from "../../semantics/s3/multipart.ts";
import type { KeepsReplaced } from "./keeps-replaced.ts";
import type { ExpectedObject } from "./objects.ts";

/**
 * The multipart uploads of the S3 API. The blobs of unfinished ones count as known. Methods have the
 * fault "not_found" if there is no such unfinished upload, unless said otherwise.
 */
export interface MultipartLedger {
  /**
   * Faults: "rate_limited": the maker has `maxOpen` unfinished uploads; those that are added at the same
   * moment may exceed it; "unavailable": `owner` has lost the lease of the blob's block.
   */
  addMultipart(upload: NewMultipart, maxOpen: number): Promise<void>;
  multipartById(id: string): MaybePromise<MultipartRecord | undefined>;
  /**
   * At most `limit` unfinished uploads in a bucket whose keys begin with a prefix, by the bytes of
   * their keys and then by id.
   */
  multipartsAfter(request: MultipartListRequest): Promise<MultipartRecord[]>;
  /**
   * Takes the place of a part in the blob of the upload. The first one decides the size of parts in
   * place. undefined: the part needs a blob of its own, since the place is taken or too small.
   */
  claimPart(part: ClaimedPart): Promise<PartPlace | undefined>;
  /** Gives back a place whose write has failed. Never has a fault. */
  releasePart(input: { readonly uploadId: string; readonly claim: string }): Promise<void>;
  /**
   * Stores a part in place of an earlier one of the same number, whose own blob is condemned. Fault
   * "unavailable": `owner` has lost the lease of the block of the part's own blob.
   */
  storePart(part: NewPart): Promise<PartRecord>;
  /** Stored parts in order, after the one with this number; 0: from the first. */
  partsAfter(uploadId: string, after: number, limit: number): Promise<PartRecord[]>;
  /**
   * Ends writing in place. "in place": the chosen parts are all that were ever written in place, one
   * after another, so the blob of the upload is the object. "apart": they must be copied into another
   * blob. A finished upload has its record returned.
   */
  beginAssembly(input: ChosenParts): Promise<"in place" | "apart" | MultipartRecord>;
  /**
   * Makes the object visible as `putObject` does, with its faults, and condemns all blobs of the upload
   * that the object does not use. Fault "gone": a chosen part was replaced since it was read. When
   * it fails, the upload stays as it was.
   */
  completeMultipart(caller: ChangedBy, input: MultipartCompletion): Promise<FileRecord>;
  /** Removes it and condemns its blobs. false: there is no such unfinished upload. */
  abortMultipart(id: string): Promise<boolean>;
  /** Removes uploads that have expired, at most `limit`. Returns whether there may be more. */
  removeExpiredMultiparts(now: Millis, limit: number): Promise<boolean>;
}

export type NewMultipart = Omit<MultipartRecord, "partSize" | "state" | "fileId" | "etag"> & {
  /** Who leases the block of the blob. */
  readonly owner: string;
};

export interface MultipartListRequest {
  readonly bucket: Key;
  /** The prefix of whole keys, with the bucket. */
  readonly prefix: string;
  /** Keys from here on; left out: from the first. */
  readonly from?: string | undefined;
  /** Uploads after the one with this key and id. "" as the id: after all of this key. */
  readonly after?: { readonly key: string; readonly id: string } | undefined;
  readonly limit: number;
}

export interface ClaimedPart {
  readonly uploadId: string;
  readonly number: number;
  readonly size: number;
  /** An unused text, which identifies the write. */
  readonly claim: string;
}

export interface PartPlace {
  readonly blobId: BlobId;
  /** In bytes. */
  readonly offset: number;
}

export interface NewPart {
  readonly uploadId: string;
  readonly number: number;
  /** The claim that a part in place was written under; undefined: the part has its own blob. */
  readonly claim: string | undefined;
  readonly content: PartContent;
  /** Who leases the block of the part's own blob. */
  readonly owner: string;
  /** The content comes from a private file: an upload that names no visibility becomes private. */
  readonly isPrivate?: boolean | undefined;
}

export interface ChosenParts {
  readonly uploadId: string;
  /** As they were read, in ascending order. */
  readonly parts: readonly PartRecord[];
}

export interface MultipartCompletion extends ChosenParts, KeepsReplaced {
  readonly file: NewFile & { readonly s3: S3Text };
  readonly expect?: ExpectedObject | undefined;
  readonly etag: string;
  /** Who leases the block of the object's blob, if that is not the blob of the upload. */
  readonly owner: string;
  /** How long the finished upload stays known. */
  readonly answerUntil: Millis;
}
