import type { ChangedBy } from "../../domain/callers/caller.ts";
import type { Key, Millis, Visibility } from "../../domain/records.ts";
import type { BatchMember, BatchRecord, UploadRecord } from "../../domain/uploads.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { KeepsReplaced } from "./keeps-replaced.ts";

/** Files that are stored and invisible until they appear together. Their blobs count as known. */
export interface BatchLedger {
  /**
   * Faults: "rate_limited": the limits are reached; batches that are added at the same moment may exceed
   * them. A visitor's batch removes the oldest one that nothing was sent to instead, and has the fault "not_found"
   * if its link has ended or has another password.
   */
  addBatch(batch: NewBatch, limits: BatchLimits): Promise<void>;
  /** A visitor starts to send files: the batch does not give way to others any more. */
  keepBatch(id: string): Promise<void>;
  batchById(id: string): MaybePromise<BatchRecord | undefined>;
  /**
   * Adds members, all or none. true: it condemned blobs, because the batch had some of the members already,
   * or open uploads had their paths. Faults: "not_found": there is no such batch; "gone": it was committed;
   * "conflict": a path is in the batch already, as a file or as a folder; "too_large": more than
   * `MAX_BATCH_FILES`; "invalid": a key would be too long; "unavailable": `owner` has lost the lease of
   * a blob's block.
   */
  addToBatch(input: NewMembers): Promise<boolean>;
  /**
   * At most `limit` members in the order in which they were added, after the one with this number; 0:
   * from the first. A committed batch has none.
   */
  batchMembers(id: string, after: number, limit: number): Promise<NumberedMember[]>;
  /** At most `limit` open uploads of the batch, the oldest first. */
  batchUploads(id: string, limit: number): Promise<UploadRecord[]>;
  /**
   * Makes all members visible at once and creates the missing folders; the change feed gets an entry
   * for each of them, made by the maker of the batch. For a committed batch, the same result again.
   *
   * Faults: "not_found": there is no such batch, or the caller does not see its folder; "gone": it has
   * expired; "conflict": an upload of the batch is not finished, or a name is taken and `onConflict`
   * does not allow it. When it fails, nothing was changed.
   */
  commitBatch(caller: ChangedBy, input: BatchCommit): Promise<CommittedBatch>;
  /**
   * Removes it with its uploads and members, and condemns their blobs; the files of a committed batch
   * stay. false: there is none.
   */
  removeBatch(id: string): Promise<boolean>;
}

export type NewBatch = Omit<BatchRecord, "state" | "files" | "bytes" | "result">;

export interface BatchLimits {
  /** Open batches of the maker. */
  readonly maxOpen: number;
  /** If the maker is a link. */
  readonly visitor?: VisitorOfLink | undefined;
}

export interface VisitorOfLink {
  /** The group of the client's address. */
  readonly client: string;
  /** The version of the link's password when the visitor was let in. */
  readonly passwordVersion: number;
}

/** How many of the open batches of a link one client may have. */
export const maxOpenOfClient = ({ maxOpen }: Pick<BatchLimits, "maxOpen">): number =>
  Math.ceil(maxOpen / 10);

export interface NewMembers {
  /** The id of the batch. */
  readonly id: string;
  readonly members: readonly BatchMember[];
  /** Who leases the blocks of the blobs. */
  readonly owner: string;
  /** The batch expires at most a minute earlier. */
  readonly expiresAt: Millis;
}

export interface NumberedMember extends BatchMember {
  /** From 1. */
  readonly number: number;
}

export interface BatchCommit extends KeepsReplaced {
  readonly id: string;
  /** The visibility of new files, if neither the member nor the batch has one. */
  readonly defaultVisibility: Visibility;
  /** The folder of a visitor's batch as it is now, if it was moved with the link's folder. */
  readonly folder?: Key | undefined;
  /** How long the committed batch stays known. */
  readonly answerUntil: Millis;
}

export interface CommittedBatch {
  readonly batch: BatchRecord;
  /** false: it was committed before. */
  readonly isNew: boolean;
}
