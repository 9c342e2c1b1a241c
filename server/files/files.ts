import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type {
  BlobLedger,
  CatalogVolume,
  FileChange,
  FileTree,
  FolderChange,
  Measure,
  TreeChanges,
  TreeChangesBy,
} from "../catalog/port.ts";
import type { Actor } from "../rules/activity.ts";
import type { MaybePromise } from "../rules/maybe-promise.ts";
import type { FileRecord, FolderRecord, Key, Page, Sha256 } from "../rules/records.ts";
import type { Signer } from "../rules/signature.ts";
import { type Archives, createArchives } from "./archive.ts";
import { type BeginUpload, createBeginUpload, type UploadSettings } from "./begin-upload.ts";
import { createBlobIdAllocator } from "./blob-id-allocator.ts";
import {
  browseFolder,
  type FolderView,
  findFile,
  findFolder,
  listFiles,
  type Selector,
} from "./find.ts";
import type { LostRecords } from "./lost-records.ts";
import { createReadBytes, type ReadBytes } from "./read.ts";
import { createReaper } from "./reaper.ts";
import { type Removal, removeFiles, removeFolder } from "./remove.ts";
import { type SearchRequest, type SearchResult, searchNames } from "./search.ts";
import { createSign, type LinkSettings, type SignedLink, type SignRequest } from "./sign.ts";
import { createSpaceGuard } from "./space.ts";
import { createSweep } from "./sweep.ts";
import { createUploadHashes } from "./upload-hashes.ts";

/** Every operation on files and folders. The file of each operation documents its contract. */
export interface Files extends FileChanges {
  find(selector: Selector): Promise<FileRecord>;
  findFolder(selector: Selector): Promise<FolderRecord>;
  /** For delivery. undefined: there is no such file. */
  at(key: Key): MaybePromise<FileRecord | undefined>;
  list(name: string | undefined, page: Page): AsyncIterable<FileRecord[]>;
  /** The files with this content, of those whose digest is known. */
  listByDigest(sha256: Sha256, page: Page): AsyncIterable<FileRecord[]>;
  /** The changes, made by someone. The methods of the service itself make them for a command. */
  by(actor: Actor): FileChanges;
  sign(request: SignRequest): Promise<SignedLink>;
  readonly read: ReadBytes;
  readonly archive: Archives;

  browse(selector: Selector): Promise<FolderView>;
  /** Counts what is below a folder. Faults as of `browse`. */
  measure(selector: Selector): Promise<Measure>;
  search(request: SearchRequest): Promise<SearchResult>;

  /**
   * Removes orphaned blobs of dead processes and of interrupted deletions. Returns the number of removed
   * orphans. If the catalog has lost records, moves them to the quarantine instead.
   */
  sweep(): Promise<number>;
  /** Waits up to 3 seconds for uploads in progress, then releases the leases. */
  close(): Promise<void>;
}

/** The operations that change files and folders. */
export interface FileChanges {
  readonly beginUpload: BeginUpload;
  change(change: FileChange): Promise<FileRecord>;
  remove(ids: readonly string[]): Promise<Removal>;
  createFolder(key: Key): Promise<FolderRecord>;
  changeFolder(change: FolderChange): Promise<FolderRecord>;
  removeFolder(id: string): Promise<void>;
}

/** Settings that may change while the service runs. */
export interface FileSettings extends UploadSettings, LinkSettings {
  /** In bytes. */
  readonly minFreeSpace: number;
}

export interface FilesParts {
  readonly catalog: FileTree & TreeChangesBy & BlobLedger & CatalogVolume;
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

export function createFiles(parts: FilesParts): Files {
  const { catalog, blobs, lostRecords, onError } = parts;
  const sweep = createSweep({ ledger: catalog, blobs, lostRecords, onError });
  const blobIds = createBlobIdAllocator({
    ledger: catalog,
    sweepBlock: sweep.block,
    owner: parts.owner,
    onError,
  });
  const reaper = createReaper({ ledger: catalog, blobs, onError });
  const space = createSpaceGuard(
    blobs,
    () => parts.settings().minFreeSpace,
    catalog.missingReserve,
  );
  const hashes = createUploadHashes();
  let drainTimer: ReturnType<typeof setTimeout> | undefined;
  const drainLater = (): void => {
    drainTimer ??= setTimeout(() => {
      drainTimer = undefined;
      void reaper.drain();
    }, REPLACED_GRACE_MS);
    // If the process exits before that, the next start removes them.
    drainTimer.unref();
  };

  const changes = (names: TreeChanges): FileChanges => ({
    beginUpload: createBeginUpload({
      ...{ blobs, blobIds, space, hashes, settings: parts.settings },
      names: { takenName: catalog.takenName, addFiles: names.addFiles },
      onReplaced: drainLater,
    }),
    change: names.changeFile,
    remove: (ids) => removeFiles(names, reaper, ids),
    createFolder: names.createFolder,
    changeFolder: names.changeFolder,
    removeFolder: (id) => removeFolder(names, reaper, id),
  });

  return {
    ...changes(catalog),
    by: (actor) => changes(catalog.by(actor)),
    find: (selector) => findFile(catalog, selector),
    findFolder: (selector) => findFolder(catalog, selector),
    at: (key) => catalog.fileByKey(key),
    list: (name, page) => listFiles(catalog, name, page),
    listByDigest: (sha256, page) => catalog.listFiles({ sha256 }, page),
    sign: createSign({ names: catalog, signer: parts.signer, settings: parts.settings }),
    read: createReadBytes({ names: catalog, blobs, onDamage: parts.onDamage }),
    archive: createArchives(parts),

    browse: (selector) => browseFolder(catalog, selector),
    measure: async (selector) => catalog.measure((await findFolder(catalog, selector)).key),
    search: (request) => searchNames(catalog, request),

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
