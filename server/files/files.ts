import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { BlobLedger, CatalogVolume } from "../catalog/port/blob-ledger.ts";
import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { QuotaLedger } from "../catalog/port/quotas.ts";
import type { UndoChanges } from "../catalog/port/undo.ts";
import type { UploadLedger } from "../catalog/port/uploads.ts";
import type { FileRecord } from "../domain/records.ts";
import type { Signer } from "../domain/tokens/signature.ts";
import { createMemoryBudget } from "../lib/memory-budget.ts";
import { threadSlices } from "../lib/time-slices.ts";
import { createSlots } from "./copy/copy-blobs.ts";
import { createFileService, type FileService } from "./file-service.ts";
import type { LostRecords } from "./lost-records.ts";
import { createExplainNoSpace, type ExplainNoSpace } from "./no-space-hint.ts";
import { createQuotaGuard, type QuotaGuard } from "./quotas/quota-guard.ts";
import { type BorrowBytes, createReadBytes, type ReadBytes } from "./read.ts";
import { createReaper } from "./reaper.ts";
import type { LinkSettings } from "./sign.ts";
import { createSweep } from "./sweep.ts";
import type { TrashPort } from "./trash/trash-port.ts";
import type { UploadSettings } from "./upload/begin-upload.ts";
import { createBlobIdAllocator } from "./upload/blob-id-allocator.ts";
import { type BlobStorage, createBlobStorage } from "./upload/blob-storage.ts";
import { createSpaceGuard } from "./upload/free-space.ts";
import { createUploadHashes, type UploadHashes } from "./upload/upload-hashes.ts";
import { ARCHIVE_MEMORY } from "./zip/archive.ts";

/** The files and folders of the instance. */
export interface Files extends FileService {
  readonly read: ReadBytes;
  readonly borrow: BorrowBytes;
  /** For resumable uploads, which share the leases and the claims of space with the others. */
  readonly storage: UploadStorage;
  readonly explainNoSpace: ExplainNoSpace;

  /**
   * Removes orphaned blobs of dead processes and of interrupted deletions. Returns the number of removed
   * orphans. If the catalog has lost records, moves them to the quarantine instead.
   */
  sweep(): Promise<number>;
  /** Waits up to 3 seconds for uploads in progress, then releases the leases. */
  close(): Promise<void>;
}

export interface UploadStorage extends BlobStorage {
  readonly quotas: QuotaGuard;
  readonly hashes: UploadHashes;
  /** To be called when files were replaced: their old blobs are removed soon. */
  readonly onReplaced: () => void;
  /** Removes the blobs that the catalog has condemned. Never throws. */
  removeCondemned(): Promise<void>;
}

/** Settings that may change while the service runs. */
export interface FileSettings extends UploadSettings, LinkSettings {
  /** In bytes. */
  readonly minFreeSpace: number;
}

export interface FilesDeps {
  readonly catalog: FileTree &
    Pick<UploadLedger, "rememberedRequest"> &
    TrashPort &
    Pick<UndoChanges, "undoChanges"> &
    BlobLedger &
    QuotaLedger &
    CatalogVolume &
    Pick<CatalogClock, "now">;
  readonly blobs: Blobs & BlobInspection;
  readonly lostRecords: LostRecords;
  /** The owner of the blob leases: unique among all processes. */
  readonly owner: string;
  readonly signer: Signer;
  /** The current values: read by each request. */
  readonly settings: () => FileSettings;
  /** Called for a record whose bytes are missing. */
  readonly onDamage: (file: FileRecord) => void;
  /** Called for failures in the background, which are retried. */
  readonly onError: (message: string, cause: unknown) => void;
}

/** A request that has just looked up a file may still read its old blob. */
const REPLACED_GRACE_MS = 2_000;
/** Blobs that are copied at a time: leaves I/O threads and connections for requests. */
const MAX_BLOB_COPIES = 8;

export function createFiles(deps: FilesDeps): Files {
  const { catalog, blobs, lostRecords, onError } = deps;
  const sweep = createSweep({ ledger: catalog, blobs, lostRecords, onError });
  const blobIds = createBlobIdAllocator({
    ledger: catalog,
    sweepBlock: sweep.block,
    owner: deps.owner,
    onError,
  });
  const reaper = createReaper({ ledger: catalog, blobs, onError });
  const space = createSpaceGuard(blobs, () => deps.settings().minFreeSpace, catalog.missingReserve);
  const hashes = createUploadHashes();
  const quotas = createQuotaGuard(catalog, deps.settings);
  let drainTimer: ReturnType<typeof setTimeout> | undefined;
  const drainLater = (): void => {
    drainTimer ??= setTimeout(() => {
      drainTimer = undefined;
      void reaper.drain();
    }, REPLACED_GRACE_MS);
    // If the process exits before that, the next start removes them.
    drainTimer.unref();
  };

  const storage: UploadStorage = {
    ...createBlobStorage({ blobs, blobIds, space, hashes }),
    hashes,
    quotas,
    onReplaced: drainLater,
    removeCondemned: reaper.drain,
  };

  const service = createFileService({
    ...deps,
    storage,
    quotaGuard: quotas,
    reaper,
    onReplaced: drainLater,
    // Shared by all archives.
    memory: createMemoryBudget(ARCHIVE_MEMORY),
    slices: threadSlices,
    inSlot: createSlots(MAX_BLOB_COPIES),
  });

  return {
    ...service,
    storage,
    explainNoSpace: createExplainNoSpace(catalog),
    ...createReadBytes({ names: catalog, blobs, onDamage: deps.onDamage }),

    async sweep() {
      const [removed] = await Promise.all([sweep.expired(), reaper.drain()]);
      return removed;
    },
    async close() {
      clearTimeout(drainTimer);
      await Promise.all([reaper.close(), blobIds.close()]);
      hashes.close();
    },
  };
}
