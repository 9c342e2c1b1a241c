import type { ChangedBy, SeenBy } from "../../domain/callers/caller.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { VersionRecord } from "../../domain/trash.ts";

/**
 * The earlier contents of files. They are deleted with the file, and kept with it in the trash, where
 * nothing finds them. Their blobs count as known and in use.
 */
export interface Versions {
  /** Latest first. A file that is not in the tree has none. */
  listVersions(caller: SeenBy, query: VersionQuery): Promise<VersionPage>;
  /** undefined: there is no such version, or its file is not in the tree. */
  versionById(caller: SeenBy, id: string): Promise<VersionRecord | undefined>;
  versionTotals(): Promise<{ readonly versions: number; readonly bytes: number }>;
  /** Condemns their blobs. Returns the ids of those that existed. */
  removeVersions(caller: ChangedBy, ids: readonly string[]): Promise<string[]>;
}

export interface VersionChanges {
  /**
   * Gives the file the content of the version. The content until now becomes a version, kept for
   * `keepMs` from now. What belongs to the content comes with it: media type, digest, attributes of S3
   * and content coding. The file keeps its name, visibility and other metadata. Faults: "not_found";
   * "invalid": its metadata would be too long with the content coding.
   */
  restoreVersion(
    caller: ChangedBy,
    input: { readonly id: string; readonly keepMs: number },
  ): Promise<FileRecord>;
}

export interface VersionQuery {
  readonly fileId: string;
  /** The version where to continue (exclusive), which may be gone. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface VersionPage {
  readonly versions: readonly VersionRecord[];
  /** undefined: there are no more. */
  readonly next: string | undefined;
}
