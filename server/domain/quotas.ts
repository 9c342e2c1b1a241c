import type { Key } from "./records.ts";

/** null: no limit. */
export interface QuotaLimits {
  readonly maxBytes: number | null;
  readonly maxFiles: number | null;
}

/** The quota of a folder directly below the root. */
export interface QuotaRecord extends QuotaLimits {
  readonly folderId: string;
  readonly key: Key;
  /** Of all files in the folder, and in the trash that were deleted from it, with their versions. */
  readonly usedBytes: number;
  /** The number of these files and versions. */
  readonly usedFiles: number;
}
