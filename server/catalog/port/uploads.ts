import type { Actor } from "../../domain/activity.ts";
import type { ChangedBy } from "../../domain/callers/caller.ts";
import type {
  BlobId,
  FileRecord,
  Key,
  Millis,
  Name,
  NewFile,
  Visibility,
} from "../../domain/records.ts";
import type { UploadRecord } from "../../domain/uploads.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { RememberedRequest } from "./file-tree.ts";
import type { KeepsReplaced } from "./keeps-replaced.ts";

/**
 * Resumable uploads. Their blobs count as known. At any time, one process at most writes to an
 * upload: it has claimed it, and the epoch that it got fences it from the writers before it.
 */
export interface UploadLedger {
  /**
   * Faults: "rate_limited": the maker has `maxOpen` open uploads; "no_space": with this one, open
   * uploads would still receive more than `maxOpenBytes`; "unavailable": `owner` has lost the lease of
   * the blob's block.
   *
   * An upload of a batch replaces an open one of the same path, whose blobs are condemned. More faults:
   * "not_found": there is no batch; "gone": it was committed; "conflict": the path is in the batch already, as a file or a
   * folder; "too_large": the batch is full; "invalid": the key would be too long. A link visitor's upload counts
   * against `maxOpenOfClient` in its batch, and against the unfinished bytes of the link: "rate_limited".
   */
  addUpload(upload: NewUpload, limits: UploadLimits): Promise<void>;
  uploadById(id: string): MaybePromise<UploadRecord | undefined>;
  /**
   * Makes `owner` the only writer. `owner` must be the process that leases the blocks of the tail blobs
   * which this writer will save. "busy": another writer was active in the last `WRITER_SECONDS`, and
   * is now asked to stop; not with `isOnlyProcess`, which says that every other writer has ended.
   * undefined: there is no such upload. A finished upload is returned without a claim.
   */
  claimUpload(input: {
    readonly id: string;
    readonly owner: string;
    readonly isOnlyProcess?: boolean;
  }): Promise<UploadClaim>;
  /** false: the writer has been asked to stop, or is not the writer any more. */
  renewUpload(id: string, epoch: number): Promise<boolean>;
  /**
   * Stores progress and renews the writer; a writer that was asked to stop may still do so. A replaced
   * tail blob is condemned. false: not the writer any more, nothing was changed. Fault "unavailable":
   * the owner has lost the lease of the new tail blob's block.
   */
  saveUpload(progress: UploadProgress): Promise<boolean>;
  /** Lets the next writer claim it at once. Does nothing if this is not the writer any more. */
  releaseUpload(id: string, epoch: number): Promise<void>;
  /**
   * Stores the last offset together with the file, or with the sealed member of the batch, and condemns
   * the tail blob. With the epoch that has finished it, the file in the answer is the same again.
   *
   * If it is `isWhole` and repeats an upload whose file is unchanged, and still in the folder of this key,
   * returns that file. In a batch, a member of the same path and content is kept.
   *
   * Faults: as addFiles, but for leases; "unavailable": not the writer any more; "not_found": also if
   * the upload or its batch is gone. When it fails, the upload stays as it was.
   */
  finishUpload(caller: ChangedBy, input: UploadFinish): Promise<FinishedUpload>;
  /** The file of an earlier upload that this creation may repeat: of the same maker, place, name and size. */
  repeatedUpload(creation: WholeCreation): Promise<FileRecord | undefined>;
  /** By the id with which `addFiles` has remembered it. */
  rememberedRequest(id: string): Promise<RememberedRequest | undefined>;
  /** Removes it and condemns the blobs of an open one. false: there is none. */
  removeUpload(id: string): Promise<boolean>;
  /**
   * Removes uploads and batches that have expired, at most `limit`, with everything in them, and
   * condemns their blobs. Open uploads of a batch stay until it has expired. Returns whether there may
   * be more.
   */
  removeExpiredUploads(now: Millis, limit: number): Promise<boolean>;
  /** The open uploads, of all makers or one, and the bytes of declared lengths not received yet. */
  openUploads(maker?: Actor): Promise<{ readonly count: number; readonly bytes: number }>;
}

export interface WholeCreation {
  readonly maker: Actor;
  readonly folder: Key;
  readonly name: Name;
  /** In bytes. */
  readonly size: number;
}

export type NewUpload = Omit<
  UploadRecord,
  "offset" | "checksum" | "growth" | "tailBlobId" | "tailSize" | "state" | "fileId"
> & {
  /** Who leases the block of the blob. */
  readonly owner: string;
  /** Whether the creation brings the whole file, so that it may repeat one whose response was lost. */
  readonly isWhole?: boolean;
};

/** Also of uploads that are added at the same moment. */
export interface UploadLimits {
  /** Open uploads of the maker. */
  readonly maxOpen: number;
  /** Bytes that the open uploads of all makers will still receive. `Number.MAX_SAFE_INTEGER`: no limit. */
  readonly maxOpenBytes: number;
}

export type UploadClaim =
  | { readonly epoch: number; readonly upload: UploadRecord }
  | "busy"
  | undefined;

/** What is left out stays. */
export interface UploadProgress {
  readonly id: string;
  readonly epoch: number;
  readonly offset: number;
  readonly checksum: number;
  readonly growth: string | null;
  readonly tailBlobId: BlobId | null;
  readonly tailSize: number;
  /** Its batch expires at most a minute earlier. */
  readonly expiresAt: Millis;
  readonly length?: number | undefined;
  readonly name?: Name | undefined;
  readonly contentType?: string | undefined;
  /** Releases the upload too, in the same transaction. */
  readonly release?: true | undefined;
}

export interface FinishedUpload {
  /** undefined: it is in a batch, or `onConflict` skipped it. */
  readonly file: FileRecord | undefined;
  /** false: the upload repeats another one or was skipped, so its blob is condemned. */
  readonly keepsBlob: boolean;
}

export interface UploadFinish extends KeepsReplaced {
  readonly id: string;
  readonly epoch: number;
  /** The file, which has the upload's blob. */
  readonly file: NewFile;
  /** Whether the creation has brought the whole file. */
  readonly isWhole?: boolean;
  /** The visibility of a new file, if neither the upload nor its batch has one. */
  readonly defaultVisibility: Visibility;
  /** How long the finished upload, or its batch, stays known at least. */
  readonly answerUntil: Millis;
}

/** A writer that was silent for this long may be replaced. Shorter than the retries of tus clients together. */
export const WRITER_SECONDS = 4;
