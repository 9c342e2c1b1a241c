import type { BatchLedger } from "./batches.ts";
import type { BlobLedger, CatalogVolume } from "./blob-ledger.ts";
import type { CatalogClock } from "./catalog-clock.ts";
import type { Counters } from "./counters.ts";
import type { Credentials } from "./credentials.ts";
import type { ChangeFeed } from "./feed.ts";
import type { FetchLedger } from "./fetches.ts";
import type { FileTree } from "./file-tree.ts";
import type { ActivityLog, StatisticsPort } from "./insight.ts";
import type { CatalogInspection } from "./inspection.ts";
import type { LinkLedger } from "./links.ts";
import type { MultipartLedger } from "./multiparts.ts";
import type { ObjectChanges, ObjectTree } from "./objects.ts";
import type { QuotaLedger } from "./quotas.ts";
import type { Trash, TrashChanges } from "./trash.ts";
import type { UndoChanges } from "./undo.ts";
import type { UploadLedger } from "./uploads.ts";
import type { VersionChanges, Versions } from "./versions.ts";
import type { FeedPlaces, WebhookLedger } from "./webhooks.ts";

/*
 * The contract of the catalog, on any engine:
 *
 * - Every change is one transaction. When its promise resolves, the change survives a power cut; when
 *   it rejects, nothing was changed.
 * - A read that starts after a change has resolved sees that change.
 * - Faults: "not_found", "conflict" and "invalid" as said at each method; "no_space" when the
 *   catalog's disk is full, though changes that free space succeed as long as possible;
 *   "unavailable" when the engine stays busy or cannot be reached.
 * - Absent records are `undefined`, not a fault, unless said otherwise.
 */

/** A read-only catalog as of one moment. */
export interface Snapshot
  extends Pick<FileTree, "fileById" | "folderByKey" | "listFiles" | "listFolders">,
    Pick<BlobLedger, "blobsAfter" | "knownBlobs" | "recordOfBlob" | "storedTotals"> {
  /** The number of files in the tree and the sum of their sizes. */
  total(): Promise<{ files: number; bytes: number }>;
  close(): void;
}

export interface Catalog
  extends FileTree,
    BlobLedger,
    Credentials,
    CatalogInspection,
    CatalogVolume,
    CatalogClock,
    ActivityLog,
    Counters,
    ChangeFeed,
    StatisticsPort,
    UploadLedger,
    BatchLedger,
    ObjectTree,
    ObjectChanges,
    MultipartLedger,
    LinkLedger,
    QuotaLedger,
    WebhookLedger,
    FeedPlaces,
    FetchLedger,
    Trash,
    TrashChanges,
    UndoChanges,
    Versions,
    VersionChanges {
  /** Fault "unavailable": the catalog cannot answer. */
  ping(): Promise<void>;
  /** Finishes the changes that were accepted, then releases all resources. */
  close(): Promise<void>;
}
