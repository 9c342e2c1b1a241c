import type { SeenBy } from "../../domain/callers/caller.ts";
import type { Ref } from "../../domain/callers/ref.ts";
import type { QuotaLimits, QuotaRecord } from "../../domain/quotas.ts";
import type { Key } from "../../domain/records.ts";

export interface QuotaDrift {
  readonly folderId: string;
  readonly bytes: number;
  readonly files: number;
}

/**
 * Every change that stores more in a folder with a quota than it allows has the fault "quota_exceeded". What adds
 * nothing, and deletions, are allowed when more is used than the limit.
 */
export interface QuotaLedger {
  /** The quotas of folders that the caller sees, by key. */
  listQuotas(caller: SeenBy): Promise<QuotaRecord[]>;
  /** Counts the contents in a folder, at any depth: of files and of their versions. */
  measureContents(folder: Key): Promise<{ readonly bytes: number; readonly files: number }>;
  /** The ids of the folders whose quotas were last recounted before this time, or must be. */
  dueRecounts(before: number): Promise<string[]>;
  /**
   * Lets every later change count what it adds to the folder and removes; `recountQuota` has to count what is there.
   * Returns the id of the folder, and whether it has been counted. Faults: "not_found"; "invalid": it is not directly
   * below the root.
   */
  openQuota(folder: Ref): Promise<{ readonly id: string; readonly isCounted: boolean }>;
  /**
   * Corrects the numbers of a quota, also while changes are made. Returns by how much they were wrong; undefined:
   * the folder has no quota, or another recount was faster.
   */
  recountQuota(folderId: string): Promise<QuotaDrift | undefined>;
  /**
   * Sets the limits that are given of a quota that is open; without any in the end, it ends. Fault "not_found": it is
   * not open.
   */
  setQuota(folderId: string, limits: Partial<QuotaLimits>): Promise<void>;
}
